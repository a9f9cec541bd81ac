import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Topic } from '#shared/topics.ts'

// In ms.
const retryMs = 1_000

interface RememberedOptions<T> {
  topic: Topic
  read: () => Promise<T>
  notices: Pick<Notices, 'subscribe'>
  log: Logger
  closing: AbortSignal
  onLearn?: (value: T, before: T | undefined) => void
}

/**
 * A value of the database that every process caches in memory, because most requests read it; a change in any process
 * reloads it in all.
 */
export function createRemembered<T>({ topic, read, notices, log, closing, onLearn }: RememberedOptions<T>) {
  let known: { value: T } | undefined
  // Readings may overtake each other. Not by version: a restored backup may bring a lower one.
  let turns = 0
  let knownSince = 0
  let retry: NodeJS.Timeout | undefined

  function learn(value: T, turn: number): T {
    if (turn > knownSince) {
      const before = known?.value
      known = { value }
      knownSince = turn
      onLearn?.(value, before)
    }
    return value
  }

  async function load(): Promise<T> {
    turns += 1
    const turn = turns
    return learn(await read(), turn)
  }

  // A notice comes once: a failed reading must be retried.
  function loadSoon(): void {
    clearTimeout(retry)
    load().catch((error: unknown) => {
      if (closing.aborted) return
      log.warn({ err: error, topic }, 'not read; trying again')
      retry = setTimeout(loadSoon, retryMs)
    })
  }

  const stopListening = notices.subscribe((changed) => {
    if (changed === topic && known) loadSoon()
  })
  closing.addEventListener('abort', () => {
    stopListening()
    clearTimeout(retry)
  })

  return {
    load,

    current(): T {
      if (!known) throw new Error(`What the topic ${topic} tells of is asked for before it was loaded.`)
      return known.value
    },

    learnWritten(value: T): T {
      turns += 1
      return learn(value, turns)
    },
  }
}
