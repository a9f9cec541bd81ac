import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Topic } from '#shared/topics.ts'
import { createTask } from './scheduler.ts'

const retryMs = 1_000

interface CachedValueOptions<T> {
  topic: Topic
  read: () => Promise<T>
  notices: Pick<Notices, 'subscribe'>
  log: Logger
  closing: AbortSignal
  onChange?: (value: T, before: T | undefined) => void
}

/**
 * A value of the database that every process caches in memory, because most requests read it; a change in any process
 * reloads it in all.
 */
export function createCachedValue<T>(options: CachedValueOptions<T>) {
  const { topic, read, notices, log, closing, onChange } = options
  let cached: { value: T } | undefined
  // Reads may finish out of order. Not by version: a restored backup may have a lower one.
  let readCount = 0
  let cachedRead = 0

  function set(value: T, readNumber: number): T {
    if (readNumber > cachedRead) {
      const before = cached?.value
      cached = { value }
      cachedRead = readNumber
      onChange?.(value, before)
    }
    return value
  }

  async function load(): Promise<T> {
    readCount += 1
    const readNumber = readCount
    return set(await read(), readNumber)
  }

  createTask({
    name: 'reading a cached value',
    run: async () => cached && load(),
    retryMs,
    topic,
    notices,
    log,
    closing,
  })

  return {
    load,

    current(): T {
      if (!cached) throw new Error(`The value of the topic ${topic} was read before it was loaded.`)
      return cached.value
    },

    setWritten(value: T): T {
      readCount += 1
      return set(value, readCount)
    },
  }
}
