import type { BatchSource, BatchSummary, MailCounts } from '#shared/mail.ts'
import { periodLabels } from '#shared/periods.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { countOf, figureText } from '#web/lib/count-text.ts'

/** How many messages of a batch have not gone out yet. */
export function openCount({ queued, sending }: MailCounts): number {
  return queued + sending
}

/** Whether everything of a batch has ended, one way or another. */
export function hasEnded({ state, counts }: Pick<BatchSummary, 'state' | 'counts'>): boolean {
  return state === 'cancelled' ? counts.sending === 0 : openCount(counts) === 0
}

/** How a batch stands, and the colour for it. */
export function batchStateOf(batch: Pick<BatchSummary, 'state' | 'counts'>): {
  label: string
  tone: BadgeTone
} {
  if (batch.state === 'cancelled') return { label: 'Cancelled', tone: 'neutral' }
  if (hasEnded(batch)) {
    const { failed, unknown } = batch.counts
    return failed + unknown > 0
      ? { label: 'Finished with failures', tone: 'warning' }
      : { label: 'Finished', tone: 'success' }
  }
  return batch.state === 'paused'
    ? { label: 'Paused', tone: 'warning' }
    : { label: 'Being sent', tone: 'info' }
}

const archiveTexts = { all: 'archived or not', active: 'not archived', archived: 'archived' } as const

/** Whom a batch was for, in words: 'Students: ROTC, 2026-2027, not archived'. */
export function sourceText(source: BatchSource): string {
  if (source.kind === 'list') return 'A list of addresses'
  if (source.kind === 'repeat') return 'The failed ones of an earlier batch'
  const { component, academicYear, course, archive, period } = source.audience
  const parts = [
    component,
    academicYear,
    course,
    period && period !== 'all-time' ? periodLabels[period].toLowerCase() : undefined,
    archive ? archiveTexts[archive] : undefined,
  ].filter((part) => part !== undefined && part !== '')
  return parts.length === 0 ? 'All students' : `Students: ${parts.join(', ')}`
}

/** '2,950 of 3,012 sent'. */
export function sentText({
  counts,
  recipientCount,
}: Pick<BatchSummary, 'counts' | 'recipientCount'>): string {
  return `${figureText(counts.sent)} of ${figureText(recipientCount)} sent`
}

/** '12 who opted out were left out'; '' when nobody was. */
export function optedOutText(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? '1 who opted out was left out'
    : `${countOf(count, 'recipient')} who opted out were left out`
}
