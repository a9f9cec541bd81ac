import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Topic } from '#shared/topics.ts'

/** How soon a reading that failed is tried again, in milliseconds. */
const retryMs = 1_000

interface RememberedOptions<T> {
  /** Changes of it are told by this topic. */
  topic: Topic
  read: () => Promise<T>
  notices: Pick<Notices, 'subscribe'>
  log: Logger
  /** Aborts when the server stops. */
  closing: AbortSignal
  /** Gets each value that is learnt, and the one before. */
  onLearn?: (value: T, before: T | undefined) => void
}

/**
 * One value of the database that every process keeps in memory, because requests look at it all the time; a change
 * made anywhere is read again by all.
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

  /** A notice comes once: a reading that failed must not leave this process behind. */
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
    /** Reads it, for the first time before the port opens. */
    load,

    /** As this process knows it. */
    current(): T {
      if (!known) throw new Error(`What the topic ${topic} tells of is asked for before it was loaded.`)
      return known.value
    },

    /** Takes over what this process has written just now. */
    learnWritten(value: T): T {
      turns += 1
      return learn(value, turns)
    },
  }
}
