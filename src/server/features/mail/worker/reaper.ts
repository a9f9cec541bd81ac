import type { SendingContext } from '#server/features/mail/mail-context.ts'
import type { OptOutHash } from '#server/features/mail/opt-outs-repository.ts'
import {
  createCancellationsRepository,
  createClaimsRepository,
  dayMs,
} from '#server/features/mail/queue-repository.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'

const reapIntervalMs = 7_500
// ms: longer than a claim or a retry delay; more is clock skew.
const longestMs = dayMs

const claimExpired =
  'The system stopped while this e-mail was being sent, so it may or may not have been delivered.'

/** Cleans up after dead workers, clock skew and concurrent decisions. */
export function createReaper({ database, clock, timeZone, log }: SendingContext, optOuts: OptOutHash) {
  const { db } = database
  const claims = createClaimsRepository(db)
  const cancellations = createCancellationsRepository(db)
  let ranAt = Number.NEGATIVE_INFINITY

  return async (): Promise<boolean> => {
    if (performance.now() - ranAt < reapIntervalMs) return false
    const now = clock()
    const cancelled = await cancellations.stale(now, calendarDateOf(now, timeZone), optOuts)
    await claims.bringForward(now, longestMs)
    const expired = await claims.expire(now, longestMs, claimExpired)
    ranAt = performance.now()
    if (expired > 0) log.warn({ count: expired }, 'claims expired; messages marked as unknown')
    return cancelled + expired > 0
  }
}
