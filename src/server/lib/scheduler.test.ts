import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Topic } from '#shared/topics.ts'
import { after, createTask } from './scheduler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const fault = new Error('the pool has ended')

function deferred() {
  let end: (error?: Error) => void = () => undefined
  const promise = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve())
  })
  return { promise, end }
}

function setUp(options: Partial<Parameters<typeof createTask>[0]> = {}) {
  const logged: string[] = []
  const seen = { runs: 0 }
  const task = createTask({
    name: 'sweep',
    log: pino({ level: 'warn' }, { write: (line) => logged.push(line) }),
    run: async () => {
      seen.runs += 1
    },
    ...options,
  })
  return { task, logged, seen }
}

describe('a task', () => {
  test('that fails is logged and repeated', async () => {
    const run = vi.fn().mockRejectedValueOnce(fault).mockResolvedValue(undefined)
    const { task, logged } = setUp({ run, everyMs: 1000, retryMs: 10 })
    task.wake()
    await vi.advanceTimersByTimeAsync(10)
    expect(run).toHaveBeenCalledTimes(2)
    expect(logged).toEqual([expect.stringContaining(fault.message)])
    await vi.advanceTimersByTimeAsync(2000)
    expect(run).toHaveBeenCalledTimes(4)
    await task.close()
  })

  test('that throws at once is repeated too', async () => {
    const run = vi.fn().mockImplementation(() => {
      throw fault
    })
    const { task, logged } = setUp({ run, retryMs: 10 })
    task.wake()
    await vi.advanceTimersByTimeAsync(25)
    expect(run).toHaveBeenCalledTimes(3)
    expect(logged).toHaveLength(3)
    await task.close()
  })

  test('runs once for many wakes, and once more for those during a run', async () => {
    const { promise, end } = deferred()
    const run = vi.fn().mockReturnValueOnce(promise).mockResolvedValue(undefined)
    const { task } = setUp({ run, gatherMs: 100 })
    for (let i = 0; i < 5; i++) task.wake()
    await vi.advanceTimersByTimeAsync(100)
    for (let i = 0; i < 5; i++) task.wake()
    await vi.advanceTimersByTimeAsync(1000)
    expect(run).toHaveBeenCalledTimes(1)
    end()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).toHaveBeenCalledTimes(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('waits as long as its run says', async () => {
    const run = vi.fn().mockResolvedValue(5000)
    const { task } = setUp({ run, everyMs: 1000 })
    await task.start()
    await vi.advanceTimersByTimeAsync(4999)
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(2)
    await task.close()
  })

  test('hands the error of its start to the caller', async () => {
    const { task, logged } = setUp({ run: () => Promise.reject(fault) })
    await expect(task.start()).rejects.toBe(fault)
    expect(logged).toEqual([])
  })

  test('is woken by its topic until it closes', async () => {
    const listeners = new Set<(topic: Topic) => void>()
    const notices = {
      subscribe(listener: (topic: Topic) => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const { task, seen } = setUp({ topic: 'slides', notices })
    for (const listener of listeners) {
      listener('students')
      listener('slides')
    }
    expect(seen.runs).toBe(1)
    await task.close()
    expect(listeners.size).toBe(0)
    task.wake()
    expect(seen.runs).toBe(1)
  })

  test('is waited for by its close, and its end by the shutdown is no error', async () => {
    const { promise, end } = deferred()
    const { task, logged } = setUp({ run: () => promise, everyMs: 1000 })
    task.wake()
    let isClosed = false
    const closing = task.close().then(() => {
      isClosed = true
    })
    await vi.advanceTimersByTimeAsync(5000)
    expect(isClosed).toBe(false)
    end(fault)
    await closing
    expect(logged).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a timer longer than the platform allows fires at its time', async () => {
  const act = vi.fn()
  const day = 24 * 60 * 60_000
  after(40 * day, act)
  await vi.advanceTimersByTimeAsync(40 * day - 1)
  expect(act).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(act).toHaveBeenCalledTimes(1)
})
