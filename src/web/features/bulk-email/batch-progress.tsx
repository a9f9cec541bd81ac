import type { BatchSummary } from '#shared/mail.ts'
import { Badge } from '#web/components/badge.tsx'
import { figureText } from '#web/lib/count-text.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { usePresent } from '#web/lib/relative-time.ts'
import { batchBadgeOf, endText } from './batch-texts.ts'
import { StateBar } from './state-bar.tsx'

/** How far a batch is: the bar, how many have ended, and when the last will go out. */
export function BatchProgress({ batch }: { batch: BatchSummary }) {
  const { counts, recipientCount } = batch
  const timeZone = useProgramTimeZone()
  const now = usePresent(batch)
  const { label, tone } = batchBadgeOf(batch)
  const done = recipientCount - counts.queued - counts.sending
  const text = `${figureText(done)} of ${figureText(recipientCount)} done`
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-sm font-semibold tabular-nums">{text}</span>
      </div>
      <div
        role="progressbar"
        aria-label="Sending"
        aria-valuemin={0}
        aria-valuemax={recipientCount}
        aria-valuenow={done}
        aria-valuetext={text}
      >
        <StateBar counts={counts} />
      </div>
      <p role="status" className="text-sm text-muted">
        {endText(batch, now, timeZone)}
      </p>
    </div>
  )
}
