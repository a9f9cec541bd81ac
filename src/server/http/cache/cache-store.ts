import type { KeptAnswer } from './cached-answer.ts'

const maxAnswers = 1_000
const maxBytes = 48 * 1024 * 1024
// A process killed between its commit and its notice has notified nobody: responses expire after a minute.
const maxAgeMs = 60_000

interface WarmStoreOptions {
  // Whether changes made elsewhere would be known by now.
  isCurrent: () => boolean
  // In ms: the next instant at which responses change without a notice.
  nextInstant: () => number
  now: () => number
}

interface Entry {
  answer: KeptAnswer
  until: number
  // For LRU eviction.
  lastUse: number
}

export type WarmStore = ReturnType<typeof createWarmStore>

export function createWarmStore({ isCurrent, nextInstant, now }: WarmStoreOptions) {
  const entries = new Map<string, Entry>()
  const flights = new Map<string, { made: Promise<KeptAnswer | null>; until: number }>()
  // A response begun before a change must not be cached after it.
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
    find,

    /**
     * The response of an address, made once for concurrent requests.
     * @param make gives null when it isn't cacheable
     * @returns null when each caller must make its own
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

    forget(): void {
      generation += 1
      entries.clear()
      flights.clear()
      bytes = 0
    },
  }
}
