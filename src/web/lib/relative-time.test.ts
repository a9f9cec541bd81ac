import { expect, test } from 'vitest'
import { dateOf, rangeOf, relativeTime, timeLeft } from './relative-time.ts'

const now = new Date('2026-11-20T12:00:00Z')

test.each([
  ['2026-11-20T12:00:30Z', 'just now'],
  ['2026-11-20T11:59:30Z', 'just now'],
  ['2026-11-20T11:59:00Z', '1 minute ago'],
  ['2026-11-20T11:01:00Z', '59 minutes ago'],
  ['2026-11-20T09:00:00Z', '3 hours ago'],
  ['2026-11-19T11:00:00Z', 'yesterday'],
  ['2026-11-15T12:00:00Z', '5 days ago'],
  ['2026-11-06T12:00:00Z', '2 weeks ago'],
  ['2026-08-20T12:00:00Z', '3 months ago'],
  ['2024-11-20T12:00:00Z', '2 years ago'],
])('%s is %s', (instant, words) => {
  expect(relativeTime(instant, now)).toBe(words)
})

test.each([
  ['2026-11-27T12:00:00Z', '1 week'],
  ['2026-11-27T11:59:59Z', '7 days'],
  ['2026-11-21T12:00:00Z', '1 day'],
  ['2026-11-21T11:59:00Z', '24 hours'],
  ['2026-11-20T12:40:00Z', '40 minutes'],
  ['2026-11-20T12:00:30Z', 'less than a minute'],
  ['2026-11-20T11:59:59Z', null],
])('until %s there is %s left', (end, words) => {
  expect(timeLeft(end, now)).toBe(words)
})

test('a calendar date stays the day that it is', () => {
  expect(dateOf('2007-05-14')).toBe('May 14, 2007')
  expect(dateOf('')).toBe('')
})

test('a period is shown by its first and last day', () => {
  expect(rangeOf({ first: '2026-08-01', last: '2026-12-31' })).toBe('Aug 1 – Dec 31, 2026')
})
