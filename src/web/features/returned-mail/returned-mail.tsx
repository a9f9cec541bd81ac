import { MailCheck, MailX } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { ReturnedMessage } from '#shared/returned-mail.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { PieceSteps } from '#web/components/piece-steps.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { MailboxLine } from './mailbox-line.tsx'
import type { ReturnedMailData } from './returned-data.ts'
import { ReturnedTable, ReturnedTableSkeleton } from './returned-table.tsx'

interface ReturnedMailProps {
  /** Null while it is being read, and when that has failed. */
  data: ReturnedMailData | null
  failed: boolean
}

/** Addresses to fix: the students whose mail came back, until somebody has seen to them. */
export function ReturnedMail({ data, failed }: ReturnedMailProps) {
  return (
    <section aria-labelledby="returned-title" className="flex flex-col gap-4">
      <div>
        <h2 id="returned-title" className="text-lg font-semibold">
          Addresses to fix
        </h2>
        <p className="mt-1 text-sm text-muted">
          Mail to these addresses came back. An entry goes when the student gets another address, or when you
          mark it as seen to. Later mail is still sent to the address.
        </p>
      </div>
      {data ? (
        <Entries data={data} />
      ) : failed ? (
        <EmptyState icon={<MailX className="size-8" />} title="The addresses to fix could not be loaded." />
      ) : (
        <ReturnedTableSkeleton />
      )}
    </section>
  )
}

function Entries({ data: { cursor, page } }: { data: ReturnedMailData }) {
  const texts = useInstantTexts()
  const { resolve, busy, failure, dismiss } = useResolving()
  return (
    <>
      <MailboxLine mailbox={page.mailbox} texts={texts} />
      {failure !== null && <ErrorBanner message={failure} onDismiss={dismiss} />}
      {page.items.length > 0 ? (
        <ReturnedTable
          items={page.items}
          openCount={page.openCount}
          texts={texts}
          busy={busy}
          onResolve={resolve}
        />
      ) : (
        <Nothing isConfigured={page.mailbox.isConfigured} />
      )}
      <PieceSteps
        label="Pieces of the list"
        cursor={cursor}
        nextCursor={page.nextCursor}
        words={{ first: 'Newest entries', next: 'Older entries' }}
        pathOf={(at) => tabPath('email', { pane: 'returned', ...(at === '' ? {} : { cursor: at }) })}
      />
    </>
  )
}

function Nothing({ isConfigured }: { isConfigured: boolean }) {
  if (isConfigured) {
    return (
      <EmptyState icon={<MailCheck className="size-8" />} title="No addresses to fix">
        Every mail that came back has been seen to.
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<MailX className="size-8" />} title="Mail that comes back is not read yet">
      Enter the IMAP server of the sender’s mailbox in the e-mail configuration above. The product then reads
      it every ten minutes, and changes nothing in it.
    </EmptyState>
  )
}

/** Saying that an entry is seen to: it goes with the next reading. */
function useResolving() {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function resolve({ id, recipient }: ReturnedMessage) {
    if (busy !== null) return
    setBusy(id)
    setFailure(null)
    try {
      await callApi(api.mail.bounces[':id'].resolve.$post({ param: { id } }))
      showToast({ type: 'success', message: `${recipient} is seen to.` })
    } catch (error) {
      setFailure(`The entry could not be marked. ${sentenceOf(error)}`)
    } finally {
      setBusy(null)
      void revalidate()
    }
  }

  return { resolve, busy, failure, dismiss: () => setFailure(null) }
}
