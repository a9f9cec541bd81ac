import type { MailQueueStatus } from '#shared/mail.ts'
import { bulkPerDay } from '#shared/mail-quota.ts'
import { figureText } from '#web/lib/count-text.ts'

type QuotaFacts = Pick<MailQueueStatus, 'counts' | 'sentToday' | 'perDay'>

/** How much of the day's quota is used, and why what goes to many waits although some of it is left. */
export function quotaText({ counts, sentToday, perDay }: QuotaFacts): string {
  const used = `${figureText(sentToday)} of ${figureText(perDay)} sent in the last 24 hours.`
  const isBulkHeld = counts.queued > 0 && sentToday >= bulkPerDay(perDay) && sentToday < perDay
  return isBulkHeld
    ? `${used} The rest is kept for confirmations and e-mails to one person; bulk e-mail goes on when it may.`
    : used
}
