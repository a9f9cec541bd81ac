import { expect, test } from 'vitest'
import { attachment } from './download.ts'

test('a plain name', () => {
  expect(attachment('NSTP students 2026-11-20.xlsx')).toBe(
    `attachment; filename="NSTP students 2026-11-20.xlsx"; filename*=UTF-8''NSTP%20students%202026-11-20.xlsx`,
  )
})

test('a name with quotes, line breaks and other scripts is escaped in the header', () => {
  expect(attachment('a"b\\c\r\nSet-Cookie: x (ñ)\'*.pdf')).toBe(
    `attachment; filename="a_b_c__Set-Cookie: x (_)'*.pdf"; ` +
      `filename*=UTF-8''a%22b%5Cc%0D%0ASet-Cookie%3A%20x%20%28%C3%B1%29%27%2A.pdf`,
  )
})
