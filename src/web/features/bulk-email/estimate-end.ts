import type { MailQueueStatus } from '#shared/mail.ts'
import { bulkPerDay } from '#shared/mail-quota.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** When the last of a new bulk e-mail will probably go out, behind what waits already: an ISO instant. */
export function estimateEnd(
  {
    counts,
    sentToday,
    perDay,
    perMinute,
  }: Pick<MailQueueStatus, 'counts' | 'sentToday' | 'perDay' | 'perMinute'>,
  recipients: number,
  now: Date,
): string {
  const aDay = bulkPerDay(perDay)
  const messages = counts.queued + counts.sending + recipients
  const today = Math.max(0, aDay - sentToday)
  const minutesFor = (count: number) => Math.ceil(count / perMinute) * minuteMs
  if (messages <= today) return new Date(now.getTime() + minutesFor(messages)).toISOString()
  const days = Math.ceil((messages - today) / aDay)
  const lastDay = messages - today - (days - 1) * aDay
  return new Date(now.getTime() + days * dayMs + minutesFor(lastDay)).toISOString()
}
