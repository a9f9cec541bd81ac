import { Mails } from 'lucide-react'
import { Link } from 'react-router'
import type { BatchSummary } from '#shared/mail.ts'
import type { BatchPage } from '#shared/mail-history.ts'
import { Badge } from '#web/components/badge.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PieceSteps } from '#web/components/piece-steps.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { batchBadgeOf, hasEnded, leftOutText, sentText, sourceText } from './batch-texts.ts'
import { bulkPath } from './bulk-address.ts'
import { StateBar } from './state-bar.tsx'

interface BatchHistoryProps {
  history: BatchPage
  /** Where the shown piece begins; '' for the newest. */
  cursor: string
}

/** Every batch, newest first; each opens. */
export function BatchHistory({ history: { items, nextCursor }, cursor }: BatchHistoryProps) {
  return (
    <section aria-labelledby="batches-title" className="flex flex-col gap-3">
      <h2 id="batches-title" className="text-lg font-semibold">
        Earlier bulk e-mails
      </h2>
      {items.length === 0 ? (
        <EmptyState icon={<Mails className="size-8" />} title="No e-mails sent yet.">
          Each bulk e-mail stands here with its progress and its results.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
          {items.map((batch) => (
            <HistoryLine key={batch.id} batch={batch} />
          ))}
        </ul>
      )}
      <PieceSteps
        label="Pieces of the history"
        cursor={cursor}
        nextCursor={nextCursor}
        words={{ first: 'Newest bulk e-mails', next: 'Older bulk e-mails' }}
        pathOf={(at) => bulkPath({ cursor: at })}
        staysInPlace
      />
    </section>
  )
}

function HistoryLine({ batch }: { batch: BatchSummary }) {
  const texts = useInstantTexts()
  const { label, tone } = batchBadgeOf(batch)
  return (
    <li className="flex flex-col gap-1 px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to={bulkPath({ batch: batch.id })}
          className="inline-flex min-h-6 items-center font-semibold wrap-anywhere text-primary underline underline-offset-4 max-md:min-h-11"
        >
          {batch.subject}
        </Link>
        {batch.kind === 'announcement' && <Badge>Announcement</Badge>}
        <Badge tone={tone}>{label}</Badge>
      </p>
      <p className="text-sm wrap-anywhere text-muted">
        {[sentText(batch), sourceText(batch.source), leftOutText(batch)]
          .filter((part) => part !== '')
          .join(' · ')}
      </p>
      <p className="text-sm wrap-anywhere text-muted">
        {texts.momentOf(batch.createdAt)} · {batch.createdBy}
      </p>
      {!hasEnded(batch) && <StateBar counts={batch.counts} />}
    </li>
  )
}
