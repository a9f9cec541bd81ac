import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { loadBulkEmails } from '#web/features/mail/bulk-data.ts'
import {
  type EmailPane,
  emailPaneOf,
  loadEmailFrame,
  loadReturnedMail,
} from '#web/features/mail/email-data.ts'
import { EmailFrame } from '#web/features/mail/email-frame.tsx'
import { loadOutbox } from '#web/features/mail/outbox-data.ts'
import { useServerStatus } from '#web/features/mail/server-status.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useReadAgain, useScreenQuery } from '#web/lib/query.ts'

// Loaded when a pane is opened.
const SingleEmail = lazy(async () => ({
  default: (await import('#web/features/mail/single-email.tsx')).SingleEmail,
}))
const BulkEmails = lazy(async () => ({
  default: (await import('#web/features/mail/bulk-emails.tsx')).BulkEmails,
}))
const ServerTest = lazy(async () => ({
  default: (await import('#web/features/mail/server-test.tsx')).ServerTest,
}))
const Outbox = lazy(async () => ({ default: (await import('#web/features/mail/outbox.tsx')).Outbox }))
const ReturnedMail = lazy(async () => ({
  default: (await import('#web/features/mail/returned-mail.tsx')).ReturnedMail,
}))

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
  const isHydrated = useHydrated()
  return (
    <TabFrame query={query} failure={failure}>
      <EmailFrame
        pane={pane}
        data={query.data ?? null}
        failed={query.isError}
        onChange={() => void readAgain()}
      >
        {/* Drawn in the browser only: React keeps a disabled field of the server's markup when the account is known earlier than
            the pane's scripts. */}
        {isHydrated && (
          <Suspense key={pane} fallback={<div aria-busy="true" className="min-h-screen" />}>
            <Pane />
          </Suspense>
        )}
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
      />
    </TabFrame>
  )
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
