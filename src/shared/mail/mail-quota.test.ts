import { expect, test } from 'vitest'
import { bulkPerDay, finishText, reservedPerDay } from './mail-quota.ts'

test.each([
  [450, 45],
  [405, 40],
  [30, 3],
  [10, 1],
  [9, 1],
  [2, 1],
])('of %i a day, %i are reserved for single mail', (perDay, reserved) => {
  expect(reservedPerDay(perDay)).toBe(reserved)
  expect(bulkPerDay(perDay)).toBe(perDay - reserved)
})

test('a quota of one reserves nothing: bulk mail would never be sent otherwise', () => {
  expect(bulkPerDay(1)).toBe(1)
})

const now = new Date('2026-11-21T06:00:00Z')
const inManila = (instant: string) => finishText(instant, now, 'Asia/Manila')

test('an end on the same day has a time in the program’s time zone', () => {
  expect(inManila('2026-11-21T07:15:00Z')).toBe('about 3:15 PM')
})

test('the next day begins at the program’s midnight', () => {
  expect(inManila('2026-11-21T15:59:00Z')).toBe('about 11:59 PM')
  expect(inManila('2026-11-21T16:05:00Z')).toBe('tomorrow at about 12:05 AM')
})

test('a later day has no time', () => {
  expect(inManila('2026-11-26T01:00:00Z')).toBe('on Thursday, Nov 26')
})

test('a day of another year has its year', () => {
  expect(inManila('2026-12-31T15:59:00Z')).toBe('on Thursday, Dec 31')
  expect(inManila('2027-05-16T01:00:00Z')).toBe('on Sunday, May 16, 2027')
})

test('an end in the past counts as today', () => {
  expect(inManila('2026-11-21T05:59:00Z')).toBe('about 1:59 PM')
})
