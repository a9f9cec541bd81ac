import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Topic } from '#shared/topics.ts'
import { createPublicationClock } from '../service.ts'

const minute = 60_000
const day = 24 * 60 * minute

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-21T00:00:00Z') }))
afterEach(() => void vi.useRealTimers())

/** @param inMs ms from now */
function setUp(...inMs: number[]) {
  const planned = inMs.map((ms) => Date.now() + ms)
  const listeners = new Set<(topic: Topic) => void>()
  const closing = new AbortController()
  const seen = { published: 0, queries: 0, listeners, failures: 0 }
  const clock = createPublicationClock({
    async nextChange(now) {
      seen.queries += 1
      if (seen.failures > 0) {
        seen.failures -= 1
        throw new Error('the database is unavailable')
      }
      const coming = planned.filter((at) => at > now.getTime())
      return coming.length > 0 ? new Date(Math.min(...coming)) : null
    },
    notices: {
      publish() {
        seen.published += 1
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    clock: () => new Date(),
    log: pino({ level: 'silent' }),
    closing: closing.signal,
  })
  const notify = (topic: Topic) => {
    for (const listener of listeners) listener(topic)
  }
  return { clock, planned, seen, notify, stop: () => closing.abort() }
}

describe('the publication clock', () => {
  test('publishes at each instant, one after the other', async () => {
    const { clock, seen } = setUp(5 * minute, 7 * minute)
    await clock.start()
    expect(clock.nextChangeAt()).toEqual(new Date('2026-11-21T00:05:00Z'))
    await vi.advanceTimersByTimeAsync(5 * minute - 1)
    expect(seen.published).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.published).toBe(1)
    expect(clock.nextChangeAt()).toEqual(new Date('2026-11-21T00:07:00Z'))
    await vi.advanceTimersByTimeAsync(2 * minute)
    expect(seen.published).toBe(2)
    expect(clock.nextChangeAt()).toBeNull()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('waits beyond the longest timer without another query', async () => {
    const { clock, seen } = setUp(40 * day)
    await clock.start()
    await vi.advanceTimersByTimeAsync(40 * day - 1)
    expect(seen).toMatchObject({ published: 0, queries: 1 })
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.published).toBe(1)
  })

  test('reads again after a change of announcements only', async () => {
    const { clock, planned, seen, notify } = setUp(day)
    await clock.start()
    planned.push(Date.now() + minute)
    notify('slides')
    await vi.advanceTimersByTimeAsync(0)
    expect(seen.queries).toBe(1)
    notify('announcements')
    await vi.advanceTimersByTimeAsync(minute)
    expect(seen.published).toBe(1)
    expect(clock.nextChangeAt()).toEqual(new Date('2026-11-22T00:00:00Z'))
  })

  test('retries while the database is unavailable', async () => {
    const { clock, seen } = setUp(minute, 2 * minute)
    await clock.start()
    seen.failures = 3
    await vi.advanceTimersByTimeAsync(minute)
    expect(seen.published).toBe(1)
    await vi.advanceTimersByTimeAsync(minute)
    expect(seen.published).toBe(2)
  })

  test('publishes missed changes after a suspension', async () => {
    const { clock, seen } = setUp(90 * minute)
    await clock.start()
    vi.setSystemTime(Date.now() + day)
    await vi.advanceTimersByTimeAsync(60 * minute)
    expect(seen.published).toBe(1)
  })

  test('stops with the server', async () => {
    const { clock, seen, notify, stop } = setUp(minute)
    await clock.start()
    stop()
    notify('announcements')
    await vi.advanceTimersByTimeAsync(day)
    expect(seen).toMatchObject({ published: 0, queries: 1 })
    expect(seen.listeners.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
