import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fromStorage } from './phone-storage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('storage that refuses or never answers gives nothing', async () => {
  expect(await fromStorage(async () => 'kept')).toBe('kept')
  expect(await fromStorage(() => Promise.reject(new DOMException('', 'QuotaExceededError')))).toBeUndefined()
  const silent = fromStorage(() => Promise.race<string>([]))
  await vi.runAllTimersAsync()
  expect(await silent).toBeUndefined()
})
