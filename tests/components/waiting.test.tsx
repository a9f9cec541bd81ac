import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useWaiting } from '#web/features/registration/use-waiting.ts'

const waiting = { startedAt: Date.now(), idempotencyKey: 'a-key', values: {}, asksNumber: false }
const post = vi.fn<(...given: unknown[]) => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', post)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  post.mockReset()
})

function wait(status: number) {
  post.mockImplementation(async () => new Response('{}', { status }))
  return renderHook(() => useWaiting(waiting, () => undefined)).result
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test.each([408, 429, 500, 502, 503])(
  'status %i is no refusal: it is sent again, after growing pauses',
  async (status) => {
    const outcome = wait(status)
    await pass(5_000)
    expect([outcome.current, post.mock.calls.length]).toEqual([undefined, 1])
    await pass(10_000)
    expect(post.mock.calls.length).toBe(2)
    await pass(10_000)
    expect(post.mock.calls.length).toBe(2)
    await pass(10_000)
    expect(post.mock.calls.length).toBe(3)
  },
)

test.each([400, 409, 422])('status %i is a refusal, and it is not sent again', async (status) => {
  const outcome = wait(status)
  await pass(600_000)
  expect([outcome.current, post.mock.calls.length]).toEqual(['refused', 1])
})
