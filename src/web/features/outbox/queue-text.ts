import type { MailQueueStatus } from '#shared/mail.ts'
import { figureText } from '#web/lib/count-text.ts'
import { finishText } from '#web/lib/finish-text.ts'

/** 'Sent within 24 hours: 120 of 450 · 312 waiting, the last of them at about 3:15 PM'. */
export function queueText(queue: MailQueueStatus, now: Date, timeZone: string): string {
  const { counts, sentToday, perDay, finishesAt } = queue
  const sent = `Sent within 24 hours: ${figureText(sentToday)} of ${figureText(perDay)}`
  const waiting = counts.queued + counts.sending
  if (waiting === 0) return `${sent} · Nothing is waiting`
  const end =
    finishesAt === null ? '' : `, the last of them to go out ${finishText(finishesAt, now, timeZone)}`
  return `${sent} · ${figureText(waiting)} waiting${end}`
}
