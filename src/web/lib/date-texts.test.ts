import { expect, test } from 'vitest'
import { instantTexts } from './date-texts.ts'

test('instants are shown in the program’s time zone', () => {
  const { dayOf, momentOf } = instantTexts('Asia/Manila')
  expect(dayOf('2026-11-20T16:00:00Z')).toBe('Nov 21, 2026')
  expect(momentOf('2026-11-20T16:05:00Z').replace('\u202f', ' ')).toBe('Nov 21, 2026, 12:05 AM')
})
