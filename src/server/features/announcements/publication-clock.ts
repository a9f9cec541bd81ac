import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Clock } from '#server/lib/clock.ts'
import { createTask } from '#server/lib/scheduler.ts'

// ms
const retryMs = 1_000

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
  let published: Date | null = null

  const task = createTask({
    name: 'reading the next publication',
    async run() {
      // Also without the notice, which takes as long as the database does.
      const now = clock()
      if (next !== null && next <= now && next !== published) {
        published = next
        notices.publish('announcements')
      }
      next = await nextChange(now)
      return next === null ? undefined : next.getTime() - now.getTime()
    },
    retryMs,
    topic: 'announcements',
    notices,
    log,
    closing,
  })

  return {
    // Runs before the port opens.
    start: task.start,

    // Public data read before this instant must not be served after it.
    nextChangeAt: (): Date | null => next,
  }
}
