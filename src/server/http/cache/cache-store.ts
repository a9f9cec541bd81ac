import type { KeptAnswer } from './cached-answer.ts'

/** Many times the public pages there are. */
const maxAnswers = 1_000
const maxBytes = 48 * 1024 * 1024
/**
 * However sure it is that nothing changed, an answer is made anew after a minute: a process that was killed
 * between its commit and its notice has told nobody.
 */
const maxAgeMs = 60_000

interface WarmStoreOptions {
  /** Whether this process would know by now of a change made elsewhere. */
  isCurrent: () => boolean
  /** The next instant, in milliseconds, at which answers change by themselves. */
  nextInstant: () => number
  now: () => number
}

interface Entry {
  answer: KeptAnswer
  until: number
  /** Counts the askings of all answers, so that the least asked for lately can go. */
  lastUse: number
}

export type WarmStore = ReturnType<typeof createWarmStore>

/** The kept answers of this process. */
export function createWarmStore({ isCurrent, nextInstant, now }: WarmStoreOptions) {
  const entries = new Map<string, Entry>()
  const flights = new Map<string, { made: Promise<KeptAnswer | null>; until: number }>()
  /** Counts the changes: what was begun before one must not be kept after it. */
  let generation = 0
  let bytes = 0
  let uses = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.answer.byteLength ?? 0
    entries.delete(key)
  }

  function keep(key: string, entry: Entry): void {
    remove(key)
    entries.set(key, entry)
    bytes += entry.answer.byteLength
    while (entries.size > maxAnswers || bytes > maxBytes) remove(leastUsed())
  }

  function leastUsed(): string {
    let least = ''
    let lastUse = Number.POSITIVE_INFINITY
    for (const [key, entry] of entries) {
      if (entry.lastUse < lastUse) {
        least = key
        lastUse = entry.lastUse
      }
    }
    return least
  }

  function find(key: string): KeptAnswer | undefined {
    const entry = entries.get(key)
    if (entry === undefined || !isCurrent()) return undefined
    if (now() >= entry.until) {
      remove(key)
      return undefined
    }
    uses += 1
    entry.lastUse = uses
    return entry.answer
  }

  return {
    /** The kept answer, as long as it is what would be made now. */
    find,

    /**
     * The answer of an address, made once however many ask for it at the same time.
     *
     * @param make gives null for what may not be kept
     * @returns null when it may not be kept, or can't be now: then each asker needs one of his own
     */
    async share(key: string, make: () => Promise<KeptAnswer | null>): Promise<KeptAnswer | null> {
      if (!isCurrent()) return null
      const known = find(key)
      if (known) return known
      const running = flights.get(key)
      if (running && now() < running.until) return await running.made
      const begunIn = generation
      const until = Math.min(now() + maxAgeMs, nextInstant())
      const made = make()
      const flight = { made, until }
      flights.set(key, flight)
      try {
        const answer = await made
        if (answer && generation === begunIn) keep(key, { answer, until, lastUse: ++uses })
        return answer
      } finally {
        if (flights.get(key) === flight) flights.delete(key)
      }
    },

    /** Something public has changed: nothing that was made or begun before is given to anybody who asks now. */
    forget(): void {
      generation += 1
      entries.clear()
      flights.clear()
      bytes = 0
    },
  }
}
