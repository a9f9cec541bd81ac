import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { useReadAgain, useScreenQuery } from '#web/lib/query.ts'
import { loadBulkEmails, type ResultsList } from './bulk-data.ts'
import { type EmailPane, emailPaneOf, loadEmailFrame, loadReturnedMail } from './email-data.ts'
import { EmailFrame } from './email-frame.tsx'
import { loadOutbox } from './outbox-data.ts'
import { useServerStatus } from './server-status.tsx'

// Loaded when a pane is opened.
const SingleEmail = lazy(async () => ({ default: (await import('./single-email.tsx')).SingleEmail }))
const BulkEmails = lazy(async () => ({ default: (await import('./bulk-emails.tsx')).BulkEmails }))
const ServerTest = lazy(async () => ({ default: (await import('./server-test.tsx')).ServerTest }))
const Outbox = lazy(async () => ({ default: (await import('./outbox.tsx')).Outbox }))
const MailMessages = lazy(async () => ({ default: (await import('./mail-messages.tsx')).MailMessages }))
const ReturnedMail = lazy(async () => ({ default: (await import('./returned-mail.tsx')).ReturnedMail }))

const failure = 'Failed to load the e-mail system'

function useFrame() {
  return useQuery({
    queryKey: ['mail', 'frame'],
    meta: { topics: ['mail-account', 'settings'] },
    queryFn: ({ signal }) => loadEmailFrame(signal),
  })
}

/** Spec §2 "Email communication screen". */
export function EmailTab() {
  const query = useFrame()
  const readAgain = useReadAgain()
  const pane = emailPaneOf(useSearchParams()[0])
  const Pane = panes[pane]
  return (
    <TabFrame query={query} failure={failure}>
      <EmailFrame
        pane={pane}
        data={query.data ?? null}
        failed={query.isError}
        onChange={() => void readAgain()}
      >
        <Suspense key={pane} fallback={<div aria-busy="true" className="min-h-screen" />}>
          <Pane />
        </Suspense>
      </EmailFrame>
    </TabFrame>
  )
}

const panes: Record<EmailPane, () => React.JSX.Element> = {
  single: SinglePane,
  bulk: BulkPane,
  server: ServerPane,
  outbox: OutboxPane,
  returned: ReturnedPane,
}

function useIsConfigured(): boolean {
  return useFrame().data?.status.isConfigured ?? false
}

function SinglePane() {
  return <SingleEmail disabled={!useIsConfigured()} />
}

function ServerPane() {
  const query = useServerStatus()
  return (
    <TabFrame query={query} failure={failure}>
      <ServerTest isConfigured={useIsConfigured()} status={query.data ?? null} failed={query.isError} />
    </TabFrame>
  )
}

function BulkPane() {
  const frame = useFrame().data
  const query = useScreenQuery({ key: ['mail', 'bulk'], topics: ['settings'], load: loadBulkEmails })
  return (
    <TabFrame query={query} failure={failure}>
      <BulkEmails
        data={query.data ?? null}
        failed={query.isError}
        disabled={!frame?.status.isConfigured}
        queue={frame?.queue ?? null}
        renderResults={renderResults}
      />
    </TabFrame>
  )
}

function renderResults(list: ResultsList) {
  return <MailMessages {...list} isOneBatch />
}

function OutboxPane() {
  const frame = useFrame().data
  const query = useScreenQuery({ key: ['mail', 'outbox'], load: loadOutbox })
  return (
    <TabFrame query={query} failure={failure}>
      <Outbox data={query.data ?? null} failed={query.isError} unknown={frame?.queue.counts.unknown ?? 0} />
    </TabFrame>
  )
}

function ReturnedPane() {
  const query = useScreenQuery({ key: ['mail', 'returned'], load: loadReturnedMail })
  return (
    <TabFrame query={query} failure={failure}>
      <ReturnedMail data={query.data ?? null} failed={query.isError} />
    </TabFrame>
  )
}
