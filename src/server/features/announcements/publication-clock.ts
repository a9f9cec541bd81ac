import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Clock } from '#server/lib/clock.ts'

// ms
const retryMs = 1_000
// ms: machines sleep, clocks change, and a timer above 2^31 ms fires at once.
const maxWaitMs = 60 * 60_000

interface PublicationClockOptions {
  nextChange: (now: Date) => Promise<Date | null>
  notices: Pick<Notices, 'publish' | 'subscribe'>
  clock: Clock
  log: Logger
  closing: AbortSignal
}

export function createPublicationClock(options: PublicationClockOptions) {
  const { nextChange, notices, clock, log, closing } = options
  let next: Date | null = null
  let timer: NodeJS.Timeout | undefined
  // Reads may finish out of order: the one that began last counts.
  let readCount = 0

  async function read(): Promise<void> {
    readCount += 1
    const readNumber = readCount
    const found = await nextChange(clock())
    if (readNumber !== readCount || closing.aborted) return
    next = found
    wait()
  }

  function wait(): void {
    clearTimeout(timer)
    if (next === null) return
    const ms = next.getTime() - clock().getTime()
    if (ms > 0) timer = setTimeout(wait, Math.min(ms, maxWaitMs))
    else change()
  }

  function change(): void {
    notices.publish('announcements')
    // Also without the notice, which takes as long as the database does.
    readSoon()
  }

  function readSoon(): void {
    clearTimeout(timer)
    read().catch((error: unknown) => {
      if (closing.aborted) return
      log.warn({ err: error }, 'next publication not read; trying again')
      clearTimeout(timer)
      timer = setTimeout(readSoon, retryMs)
    })
  }

  const stopListening = notices.subscribe((topic) => {
    if (topic === 'announcements') readSoon()
  })
  closing.addEventListener('abort', () => {
    stopListening()
    clearTimeout(timer)
  })

  return {
    // Runs before the port opens.
    start: read,

    // Public data read before this instant must not be served after it.
    nextChangeAt: (): Date | null => next,
  }
}
