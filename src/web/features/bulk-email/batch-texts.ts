import { finishText } from '#shared/finish-text.ts'
import { type BatchSource, type BatchSummary, type MailCounts, mailSentences } from '#shared/mail.ts'
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

/** Whether cancelling came in time to keep anything of a batch back. */
function isKeptBack({ state, counts }: Pick<BatchSummary, 'state' | 'counts'>): boolean {
  return state === 'cancelled' && (counts.cancelled > 0 || counts.sending > 0)
}

/** How a batch stands, and the colour for it. */
export function batchStateOf(batch: Pick<BatchSummary, 'state' | 'counts'>): {
  label: string
  tone: BadgeTone
} {
  if (isKeptBack(batch)) return { label: 'Cancelled', tone: 'neutral' }
  if (hasEnded(batch)) {
    const { failed, unknown } = batch.counts
    if (failed > 0) return { label: 'Finished with failures', tone: 'warning' }
    // Of these nobody knows whether they failed.
    return unknown > 0
      ? { label: `Finished, ${figureText(unknown)} to decide`, tone: 'warning' }
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

/** Who got no mail, and why: '12 opted out', '3 duplicates', '1 invalid'. */
export function leftOutTexts({ optedOutCount, duplicateCount, invalidCount }: LeftOutCounts): string[] {
  return [
    optedOutCount > 0 ? `${figureText(optedOutCount)} opted out` : '',
    duplicateCount > 0 ? countOf(duplicateCount, 'duplicate') : '',
    invalidCount > 0 ? `${figureText(invalidCount)} invalid` : '',
  ].filter((text) => text !== '')
}

type LeftOutCounts = Pick<BatchSummary, 'optedOutCount' | 'duplicateCount' | 'invalidCount'>

type EndFacts = Pick<BatchSummary, 'counts' | 'state' | 'recipientCount' | 'finishesAt'>

/** When the last of a batch goes out, or how it ended. */
export function endText(batch: EndFacts, now: Date, timeZone: string): string {
  const { counts, state, recipientCount, finishesAt } = batch
  if (isKeptBack(batch)) return `${countOf(counts.cancelled, 'e-mail')} will not be sent.`
  if (hasEnded(batch)) return `${mailSentences.sentSome(counts.sent, recipientCount)}.`
  if (state === 'paused') return 'Paused: nothing of it goes out until you resume it.'
  if (finishesAt === null) return 'Nothing goes out at the moment. It goes on by itself.'
  return `The last of it will go out ${finishText(finishesAt, now, timeZone)}. You may leave this page.`
}

/** The same in one sentence for a line of facts: 'Left out: 12 opted out, 3 duplicates'; '' for nobody. */
export function leftOutText(batch: LeftOutCounts): string {
  const texts = leftOutTexts(batch)
  return texts.length === 0 ? '' : `Left out: ${texts.join(', ')}`
}
