import type { BatchDecision, BatchState, MailCounts } from '#shared/mail.ts'

/** How a bulk e-mail stands: by what was decided about it, and how its messages stand. */
export function batchStateOf(decision: BatchDecision, counts: MailCounts): BatchState {
  // What all had gone out before it was cancelled was not kept back.
  if (decision === 'cancelled') return counts.cancelled > 0 || counts.sending > 0 ? 'cancelled' : 'finished'
  return counts.queued + counts.sending > 0 ? decision : 'finished'
}
