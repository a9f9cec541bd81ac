import type { MailQueueStatus } from '#shared/mail.ts'

/** The part of the day's quota that bulk mail may take: the rest is for mail that somebody waits for. */
const bulkShare = 0.9

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * When the last of a new bulk e-mail will probably go out, behind what waits already.
 *
 * @returns an ISO instant; null when the quota lets nothing out
 */
export function estimateEnd(
  {
    counts,
    sentToday,
    perDay,
    perMinute,
  }: Pick<MailQueueStatus, 'counts' | 'sentToday' | 'perDay' | 'perMinute'>,
  recipients: number,
  now: Date,
): string | null {
  const aDay = Math.floor(perDay * bulkShare)
  if (aDay < 1 || perMinute < 1) return null
  const messages = counts.queued + counts.sending + recipients
  const today = Math.max(0, aDay - sentToday)
  const minutesFor = (count: number) => Math.ceil(count / perMinute) * minuteMs
  if (messages <= today) return new Date(now.getTime() + minutesFor(messages)).toISOString()
  const days = Math.ceil((messages - today) / aDay)
  const lastDay = messages - today - (days - 1) * aDay
  return new Date(now.getTime() + days * dayMs + minutesFor(lastDay)).toISOString()
}
