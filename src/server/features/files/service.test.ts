import { describe, expect, test } from 'vitest'
import { cleanFileName, cleanMediaType } from './service.ts'

describe('the name of an attachment', () => {
  test.each([
    ['Enrolment form 2026.pdf', 'Enrolment form 2026.pdf'],
    ['Listahan ng mga kadete – Peña.xlsx', 'Listahan ng mga kadete – Peña.xlsx'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\Ana\\memo.docx', 'memo.docx'],
    ['memo\u0000.pdf', 'memo.pdf'],
    ['memo\r\nSet-Cookie: x.pdf', 'memoSet-Cookie_ x.pdf'],
    // The right-to-left override would display it as 'memofdp.exe'.
    ['memo\u202efdp.exe', 'memofdp.exe'],
    ['what?.txt', 'what_.txt'],
    // Half of a character, which the database would refuse.
    ['memo\ud83d.pdf', 'memo.pdf'],
    ['memo😀.pdf', 'memo😀.pdf'],
    ['', 'attachment'],
    ['..', 'attachment'],
    ['   ', 'attachment'],
  ])('%j is saved as %j', (fileName, saved) => {
    expect(cleanFileName(fileName)).toBe(saved)
  })

  test('a long one is cut before its extension', () => {
    const name = cleanFileName(`${'ñ'.repeat(300)}.pdf`)
    expect(name).toBe(`${'ñ'.repeat(116)}.pdf`)
  })

  test('a long one is not cut within a character', () => {
    expect(cleanFileName('😀'.repeat(130))).toBe('😀'.repeat(120))
  })
})

describe('the declared type of an attachment', () => {
  test.each([
    ['application/pdf', 'application/pdf'],
    ['Text/Plain; charset=utf-8', 'text/plain'],
    ['', 'application/octet-stream'],
    ['text/html\r\nX: y', 'application/octet-stream'],
    ['no type at all', 'application/octet-stream'],
  ])('%j is stored as %j', (declared, stored) => {
    expect(cleanMediaType(declared)).toBe(stored)
  })
})
