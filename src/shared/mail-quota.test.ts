import { expect, test } from 'vitest'
import { bulkPerDay, keptPerDay } from './mail-quota.ts'

test.each([
  [450, 45],
  [405, 40],
  [30, 3],
  [10, 1],
  [9, 1],
  [2, 1],
])('of %i a day, %i are kept for what one person waits for', (perDay, kept) => {
  expect(keptPerDay(perDay)).toBe(kept)
  expect(bulkPerDay(perDay)).toBe(perDay - kept)
})

test('a quota of one is for all: what goes to many would never go otherwise', () => {
  expect(bulkPerDay(1)).toBe(1)
})
