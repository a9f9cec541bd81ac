import { expect, test } from 'vitest'
import { instantTexts } from './date-texts.ts'

test('instants are shown in the program’s time zone', () => {
  const { dayOf, momentOf, eventOf } = instantTexts('Asia/Manila')
  expect(dayOf('2026-11-20T16:00:00Z')).toBe('Nov 21, 2026')
  expect(momentOf('2026-11-20T16:05:00Z').replace('\u202f', ' ')).toBe('Nov 21, 2026, 12:05 AM')
  expect(eventOf(Date.UTC(2026, 10, 20, 16, 5)).replace('\u202f', ' ')).toBe('Sat, Nov 21, 2026, 12:05 AM')
})
