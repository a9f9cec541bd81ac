import { expect, test } from 'vitest'
import { isNearlyFull, uptimeText } from './server-status.tsx'

test.each([
  [0, 'less than a minute'],
  [60, '1 minute'],
  [3_600, '1 hour'],
  [7_380, '2 hours 3 minutes'],
  [86_400, '1 day'],
  [86_400 + 120, '1 day'],
  [3 * 86_400 + 4 * 3_600 + 59 * 60, '3 days 4 hours'],
])('an uptime of %d seconds is %s', (seconds, text) => {
  expect(uptimeText(seconds)).toBe(text)
})

test('a disk is nearly full with less than a tenth free', () => {
  expect(isNearlyFull({ freeBytes: 9, totalBytes: 100 })).toBe(true)
  expect(isNearlyFull({ freeBytes: 10, totalBytes: 100 })).toBe(false)
})
