import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from './timers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function counted(takesMs: number) {
  const starts: number[] = []
  const begin = Date.now()
  const runner = createThrottle(async () => {
    starts.push(Date.now() - begin)
    await new Promise((resolve) => setTimeout(resolve, takesMs))
  }, 500)
  return { runner, starts }
}

test('runs at once, and several requests are one run', async () => {
  const { runner, starts } = counted(10)
  runner.request()
  runner.request()
  runner.request()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual([0])
})

test('pauses between two runs', async () => {
  const { runner, starts } = counted(10)
  runner.request()
  await vi.advanceTimersByTimeAsync(100)
  runner.request()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual([0, 500])
})

test('a request during a run causes one more run', async () => {
  const { runner, starts } = counted(1_000)
  runner.request()
  await vi.advanceTimersByTimeAsync(200)
  runner.request()
  runner.request()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(starts).toHaveLength(2)
  expect(starts[1]).toBeGreaterThanOrEqual(1_000)
})

test('starts no run after stop', async () => {
  const { runner, starts } = counted(10)
  runner.request()
  runner.stop()
  runner.request()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(starts).toEqual([])
})
