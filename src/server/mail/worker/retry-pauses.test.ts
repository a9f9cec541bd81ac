import { describe, expect, test } from 'vitest'
import { pauseAfter } from './retry-pauses.ts'

describe('the pauses of a message that was refused for now', () => {
  const minutes = (attempts: number, random = 0) => {
    const ms = pauseAfter(attempts, () => random)
    return ms === null ? null : ms / 60_000
  }

  test('grow, and end after ten attempts within a day', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => minutes(index + 1))
    expect(pauses).toEqual([1, 5, 15, 60, 180, 180, 240, 300, 360, null])
    expect(pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)).toBeLessThanOrEqual(24 * 60)
  })

  test('differ by up to a tenth, so that those refused together don’t come back together', () => {
    expect(minutes(1, 0.999_999)).toBeCloseTo(1.1)
    expect(minutes(4, 0.5)).toBe(63)
  })
})
