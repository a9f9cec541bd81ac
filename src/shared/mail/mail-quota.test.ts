import { expect, test } from 'vitest'
import { bulkPerDay, finishText, reservedPerDay } from './mail-quota.ts'

test.each([
  [450, 45],
  [405, 40],
  [30, 3],
  [10, 1],
  [9, 1],
  [2, 1],
])('of %i a day, %i are kept for what one person waits for', (perDay, kept) => {
  expect(reservedPerDay(perDay)).toBe(kept)
  expect(bulkPerDay(perDay)).toBe(perDay - kept)
})

test('a quota of one is for all: what goes to many would never go otherwise', () => {
  expect(bulkPerDay(1)).toBe(1)
})

const now = new Date('2026-11-21T06:00:00Z')
const inManila = (instant: string) => finishText(instant, now, 'Asia/Manila')

test('the same day has a time, by the program’s clock', () => {
  expect(inManila('2026-11-21T07:15:00Z')).toBe('at about 3:15 PM')
})

test('the next day begins at the program’s midnight', () => {
  expect(inManila('2026-11-21T15:59:00Z')).toBe('at about 11:59 PM')
  expect(inManila('2026-11-21T16:05:00Z')).toBe('tomorrow at about 12:05 AM')
})

test('a later day is named, without a time that nobody can know', () => {
  expect(inManila('2026-11-26T01:00:00Z')).toBe('on Thursday, Nov 26')
})

test('a day of another year tells its year: many thousands on a small account take months', () => {
  expect(inManila('2026-12-31T15:59:00Z')).toBe('on Thursday, Dec 31')
  expect(inManila('2027-05-16T01:00:00Z')).toBe('on Sunday, May 16, 2027')
})

test('an end that has just passed is today', () => {
  expect(inManila('2026-11-21T05:59:00Z')).toBe('at about 1:59 PM')
})
