import { Mails } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigation } from 'react-router'
import type { BatchSummary, MailQueueStatus } from '#shared/mail/mail.ts'
import type { BatchPage } from '#shared/mail/mail-history.ts'
import { Badge } from '#web/components/badge.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { PieceSteps } from '#web/components/pagination.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import { batchBadgeOf, hasEnded, leftOutText, sentText, sourceText } from './batch-texts.ts'
import { BatchView, StateBar } from './batch-view.tsx'
import { type BulkEmailsData, bulkPath, type RenderResults, readBulkAddress } from './bulk-data.ts'
import { BulkForm } from './bulk-form.tsx'

interface BulkEmailsProps {
  data: BulkEmailsData | null
  failed: boolean
  disabled: boolean
  queue: MailQueueStatus | null
  renderResults: RenderResults
}

/** Spec §2 "Bulk Emails". The address selects the form or one batch. */
export function BulkEmails({ data, failed, disabled, queue, renderResults }: BulkEmailsProps) {
  const address = readBulkAddress(new URLSearchParams(useWantedLocation().search))
  const isReading = useNavigation().state !== 'idle'
  const shown = data?.batch === address.batch ? data : null
  if (shown === null) return <Waiting failed={failed} />
  if (shown.batch === null) {
    return (
      <div className="flex flex-col gap-8">
        <BulkForm start={shown} queue={queue} disabled={disabled} />
        <BatchHistory history={shown.history} cursor={address.cursor} />
      </div>
    )
  }
  if ('missing' in shown) return <Missing sentence={shown.missing} />
  return (
    <BatchView
      key={shown.batch}
      data={shown}
      address={address}
      busy={isReading}
      queue={queue}
      renderResults={renderResults}
    />
  )
}

function Missing({ sentence }: { sentence: string }): ReactNode {
  return (
    <EmptyState
      icon={<Mails className="size-8" />}
      title={sentence}
      action={
        <ButtonLink variant="outline" size="sm" to={bulkPath()}>
          All bulk e-mails
        </ButtonLink>
      }
    />
  )
}

function Waiting({ failed }: { failed: boolean }) {
  if (failed)
    return <EmptyState icon={<Mails className="size-8" />} title="The bulk e-mails could not be loaded." />
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading bulk e-mails</span>
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-72 w-full" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-16 w-full" />
    </div>
  )
}

interface BatchHistoryProps {
  history: BatchPage
  cursor: string
}

function BatchHistory({ history: { items, nextCursor }, cursor }: BatchHistoryProps) {
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
