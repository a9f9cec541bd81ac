import { describe, expect, test } from 'vitest'
import { instantOfLocal, localTimeOf } from './local-time.ts'

const isoOf = (text: string, timeZone: string) => instantOfLocal(text, timeZone)?.toISOString()

describe('a local time', () => {
  test.each([
    ['2026-11-21T08:30', 'Asia/Manila', '2026-11-21T00:30:00.000Z'],
    ['2026-01-01T00:00', 'Asia/Manila', '2025-12-31T16:00:00.000Z'],
    ['2026-11-21T08:30:59.9', 'Asia/Manila', '2026-11-21T00:30:00.000Z'],
    ['2026-07-01T12:00', 'America/New_York', '2026-07-01T16:00:00.000Z'],
    ['2026-01-01T12:00', 'America/New_York', '2026-01-01T17:00:00.000Z'],
    // Right after the clocks have jumped ahead, and within the hour that they skip.
    ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
  ])('%s in %s is %s', (text, timeZone, iso) => {
    expect(isoOf(text, timeZone)).toBe(iso)
  })

  test.each([
    '',
    '2026-11-21',
    '2026-02-30T10:00',
    '2026-11-21T24:00',
    '2026-11-21T08:60',
    '21/11/2026 08:30',
  ])('is not %j', (text) => {
    expect(instantOfLocal(text, 'Asia/Manila')).toBeUndefined()
  })

  test('of an instant is what the clocks there show', () => {
    expect(localTimeOf(new Date('2026-11-20T23:59:59.999Z'), 'Asia/Manila')).toBe('2026-11-21T07:59')
    expect(localTimeOf(new Date('2026-07-01T16:00:00Z'), 'America/New_York')).toBe('2026-07-01T12:00')
  })
})
