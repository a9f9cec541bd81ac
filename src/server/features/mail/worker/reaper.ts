import type { OptOutHash } from '#server/features/mail/opt-outs-repository.ts'
import {
  createCancellationsRepository,
  createClaimsRepository,
  dayMs,
} from '#server/features/mail/queue-repository.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'

const reapIntervalMs = 7_500
// ms: longer than a claim or a retry delay; more is clock skew.
const longestMs = dayMs

const claimExpired =
  'The system stopped while this e-mail was being sent, so it may or may not have been delivered.'

interface ReaperOptions extends Pick<AppContext, 'db' | 'clock' | 'timeZone' | 'log'> {
  optOuts: OptOutHash
}

/** Cleans up after dead workers, clock skew and concurrent decisions. */
export function createReaper({ db, clock, timeZone, log, optOuts }: ReaperOptions) {
  const claims = createClaimsRepository(db)
  const cancellations = createCancellationsRepository(db)
  let ranAt = Number.NEGATIVE_INFINITY

  return async (): Promise<boolean> => {
    if (performance.now() - ranAt < reapIntervalMs) return false
    const now = clock()
    const cancelled =
      (await cancellations.cancelOfCancelled(now)) +
      (await cancellations.cancelOfRejected(now)) +
      (await cancellations.cancelOfEnded(now, calendarDateOf(now, timeZone))) +
      (await cancellations.cancelOptedOut(now, optOuts))
    await claims.bringForward(now, longestMs)
    const expired = await claims.expire(now, longestMs, claimExpired)
    ranAt = performance.now()
    if (expired > 0) log.warn({ count: expired }, 'claims expired; messages marked as unknown')
    return cancelled + expired > 0
  }
}
