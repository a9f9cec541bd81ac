import { expect, test } from 'vitest'
import { createInstantTexts } from '#web/lib/instant-texts.ts'
import { countOf, dateOf, listName, rangeOf } from './student-texts.ts'

test('a name stands as last, first middle', () => {
  expect(listName({ lastName: 'Dela Cruz', firstName: 'Juan Miguel', middleName: 'Peña' })).toBe(
    'Dela Cruz, Juan Miguel Peña',
  )
  expect(listName({ lastName: 'Cruz', firstName: 'Ana', middleName: '' })).toBe('Cruz, Ana')
  expect(listName({ lastName: 'Cruz', firstName: '', middleName: '' })).toBe('Cruz')
  expect(listName({ lastName: '', firstName: '', middleName: '' })).toBe('N/A')
})

test('instants are shown by the clock of the program', () => {
  const { dayOf, momentOf } = createInstantTexts('Asia/Manila')
  expect(dayOf('2026-11-20T16:00:00Z')).toBe('Nov 21, 2026')
  expect(momentOf('2026-11-20T16:05:00Z').replace('\u202f', ' ')).toBe('Nov 21, 2026, 12:05 AM')
})

test('a calendar date stays the day that it is', () => {
  expect(dateOf('2007-05-14')).toBe('May 14, 2007')
  expect(dateOf('')).toBe('')
})

test('a period is shown by its first and last day', () => {
  expect(rangeOf({ first: '2026-08-01', last: '2026-12-31' }).replace(/[\u2009\s]/g, ' ')).toBe(
    'Aug 1 – Dec 31, 2026',
  )
})

test('counts agree with their noun', () => {
  expect([countOf(0, 'student'), countOf(1, 'student'), countOf(20_000, 'student')]).toEqual([
    '0 students',
    '1 student',
    '20,000 students',
  ])
})
