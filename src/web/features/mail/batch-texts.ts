import { mailSentences } from '#shared/mail/mail.ts'
import { finishText } from '#shared/mail/mail-quota.ts'
import type { BatchSource, BatchSummary } from '#shared/mail/mail-response.ts'
import { periodLabels } from '#shared/periods.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { countOf, figureText } from '#web/lib/number-texts.ts'

/** A cancelled batch ends only when the messages in progress have ended. */
export function hasEnded({ state, counts }: Pick<BatchSummary, 'state' | 'counts'>): boolean {
  return state === 'finished' || (state === 'cancelled' && counts.sending === 0)
}

export function batchBadgeOf({ state, counts }: Pick<BatchSummary, 'state' | 'counts'>): {
  label: string
  tone: BadgeTone
} {
  switch (state) {
    case 'cancelled':
      return { label: 'Cancelled', tone: 'neutral' }
    case 'paused':
      return { label: 'Paused', tone: 'warning' }
    case 'running':
      return { label: 'Sending', tone: 'info' }
    case 'finished':
      if (counts.failed > 0) return { label: 'Finished with failures', tone: 'warning' }
      // Messages without an answer may have been delivered.
      return counts.unknown > 0
        ? { label: `Finished, ${figureText(counts.unknown)} to review`, tone: 'warning' }
        : { label: 'Finished', tone: 'success' }
  }
}

const archiveTexts = { all: 'including archived', active: 'not archived', archived: 'archived' } as const

/** 'Students: ROTC, 2026-2027, not archived'. */
export function sourceText(source: BatchSource): string {
  if (source.kind === 'list') return 'Address list'
  if (source.kind === 'selection') return 'Selected students'
  if (source.kind === 'repeat') return 'Retry of failed recipients'
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

export function sentText({ counts, recipientCount }: Pick<BatchSummary, 'counts' | 'recipientCount'>) {
  return `${figureText(counts.sent)} of ${figureText(recipientCount)} sent`
}

export interface LeftOutCounts {
  optedOut?: number
  duplicates: number
  invalid: number
}

/** '12 opted out', '3 duplicates', '1 invalid'. */
export function leftOutTexts({ optedOut = 0, duplicates, invalid }: LeftOutCounts): string[] {
  return [
    optedOut > 0 ? `${figureText(optedOut)} opted out` : '',
    duplicates > 0 ? countOf(duplicates, 'duplicate') : '',
    invalid > 0 ? `${figureText(invalid)} invalid` : '',
  ].filter(Boolean)
}

type EndFacts = Pick<BatchSummary, 'counts' | 'state' | 'recipientCount' | 'finishesAt'>

export function endText(batch: EndFacts, now: Date, timeZone: string): string {
  const { counts, state, recipientCount, finishesAt } = batch
  if (state === 'cancelled') return `${countOf(counts.cancelled, 'e-mail')} will not be sent.`
  if (state === 'finished') return `${mailSentences.sentSome(counts.sent, recipientCount)}.`
  if (state === 'paused') return 'Paused. Nothing is sent until you resume.'
  if (finishesAt === null) return 'Sending is on hold and continues automatically.'
  return `Finishes ${finishText(finishesAt, now, timeZone)}. You can leave this page.`
}

export function leftOutText({
  optedOutCount: optedOut,
  duplicateCount: duplicates,
  invalidCount: invalid,
}: Pick<BatchSummary, 'optedOutCount' | 'duplicateCount' | 'invalidCount'>): string {
  const texts = leftOutTexts({ optedOut, duplicates, invalid })
  return texts.length === 0 ? '' : `Excluded: ${texts.join(', ')}`
}
