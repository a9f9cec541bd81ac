import { Mails } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import type { MailQueueStatus } from '#shared/mail.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import { BatchHistory } from './batch-history.tsx'
import { BatchView } from './batch-view.tsx'
import { bulkPath, readBulkAddress } from './bulk-address.ts'
import type { BulkEmailsData } from './bulk-data.ts'
import { BulkForm } from './bulk-form.tsx'
import type { RenderResults } from './results-list.ts'

interface BulkEmailsProps {
  /** Null while it is being read, and when that has failed. */
  data: BulkEmailsData | null
  failed: boolean
  /** E-mail is not configured: nothing can be sent. */
  disabled: boolean
  /** How far the outgoing mail is; null while nobody tells. */
  queue: MailQueueStatus | null
  /** Shows a list of messages, which another feature does. */
  renderResults: RenderResults
}

/** The tab "Bulk Emails" (spec §2): the form with the history below it, or one batch. The address says which. */
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
