import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Clock } from '#server/lib/clock.ts'

/** How soon a reading that failed is tried again, in milliseconds. */
const retryMs = 1_000
/** The longest wait: machines sleep, clocks are set, and a timer of 25 days would go off at once. */
const longestWaitMs = 60 * 60_000

interface PublicationClockOptions {
  /** The next instant after this one at which an announcement appears or goes; null when nothing is planned. */
  nextChange: (now: Date) => Promise<Date | null>
  notices: Pick<Notices, 'publish' | 'subscribe'>
  clock: Clock
  log: Logger
  /** Aborts when the server stops. */
  closing: AbortSignal
}

/** Tells everybody when a planned publication begins or ends: until then nothing had changed. */
export function createPublicationClock(options: PublicationClockOptions) {
  const { nextChange, notices, clock, log, closing } = options
  let next: Date | null = null
  let timer: NodeJS.Timeout | undefined
  // Readings may overtake each other: the one that began last is right.
  let turns = 0

  async function read(): Promise<void> {
    turns += 1
    const turn = turns
    const found = await nextChange(clock())
    if (turn !== turns || closing.aborted) return
    next = found
    wait()
  }

  function wait(): void {
    clearTimeout(timer)
    if (next === null) return
    const ms = next.getTime() - clock().getTime()
    if (ms > 0) timer = setTimeout(wait, Math.min(ms, longestWaitMs))
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
    /** Reads the first instant. Before the port opens: what was due while nothing ran shows with the first answers. */
    start: read,

    /**
     * The next instant at which the public announcements change by themselves; null when nothing is planned. What was
     * read before it must not be given out from then on.
     */
    nextChangeAt: (): Date | null => next,
  }
}
