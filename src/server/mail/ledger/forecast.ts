import { bulkPerDay } from '#shared/mail-quota.ts'
import { dayMs, minuteMs, type Quotas } from './quota.ts'

/** What the quotas have let through, and what is still to go. */
export interface Outlook {
  now: Date
  /** When each was sent that counts within the last day, oldest first; what is under way counts as sent now. */
  sent: readonly Date[]
  /** What goes first, and what goes to many. */
  urgent: number
  bulk: number
}

/**
 * When the last of the messages will be sent: as soon as the quotas let it go.
 *
 * @returns null when nothing is left to be sent
 */
export function forecastFinish(
  { now, sent, urgent, bulk }: Outlook,
  { perDay, perMinute }: Quotas,
): Date | null {
  if (urgent + bulk === 0) return null
  const times = sent.map((time) => time.getTime())
  let last = now.getTime()
  for (let index = 0; index < urgent + bulk; index++) {
    const dayLimit = index < urgent ? perDay : bulkPerDay(perDay)
    last = Math.max(last, freeAt(times, perMinute, minuteMs), freeAt(times, dayLimit, dayMs))
    times.push(last)
  }
  return new Date(last)
}

/** When fewer than `limit` of these fall into a span of time. */
function freeAt(times: readonly number[], limit: number, spanMs: number): number {
  const blocking = times[times.length - limit]
  return blocking === undefined ? 0 : blocking + spanMs
}
