import { expect, test } from 'vitest'
import { dateOf, rangeOf } from './calendar-texts.ts'

test('a calendar date stays the day that it is', () => {
  expect(dateOf('2007-05-14')).toBe('May 14, 2007')
  expect(dateOf('')).toBe('')
})

test('a period is shown by its first and last day', () => {
  expect(rangeOf({ first: '2026-08-01', last: '2026-12-31' }).replace(/[\u2009\s]/g, ' ')).toBe(
    'Aug 1 – Dec 31, 2026',
  )
})
