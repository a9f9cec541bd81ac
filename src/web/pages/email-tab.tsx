import { lazy } from 'react'
import { useNavigation, useSearchParams } from 'react-router'
import { LazyScreen } from '#web/components/lazy-screen.tsx'
import { loadBulkEmails, type ResultsList } from '#web/features/mail/bulk-data.ts'
import {
  type EmailPane,
  emailPaneOf,
  loadEmailFrame,
  loadReturnedMail,
} from '#web/features/mail/email-data.ts'
import { loadOutbox } from '#web/features/mail/outbox-data.ts'
import { loadServerStatus } from '#web/features/mail/server-status.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'

// Loaded when a pane is opened.
const EmailFrame = lazy(async () => ({
  default: (await import('#web/features/mail/email-frame.tsx')).EmailFrame,
}))
const SingleEmail = lazy(async () => ({
  default: (await import('#web/features/mail/single-email.tsx')).SingleEmail,
}))
const BulkEmails = lazy(async () => ({
  default: (await import('#web/features/mail/bulk-emails.tsx')).BulkEmails,
}))
const ServerTest = lazy(async () => ({
  default: (await import('#web/features/mail/server-test.tsx')).ServerTest,
}))
const Outbox = lazy(async () => ({
  default: (await import('#web/features/mail/outbox.tsx')).Outbox,
}))
const MailMessages = lazy(async () => ({
  default: (await import('#web/features/mail/mail-messages.tsx')).MailMessages,
}))
const ReturnedMail = lazy(async () => ({
  default: (await import('#web/features/mail/returned-mail.tsx')).ReturnedMail,
}))

export type EmailTabData = Awaited<ReturnType<typeof loadEmailTab>>

export async function loadEmailTab(url: URL, signal: AbortSignal) {
  const [frame, pane] = await Promise.all([
    loadEmailFrame(signal),
    loadPane(emailPaneOf(url.searchParams), url, signal),
  ])
  return { frame, ...pane }
}

async function loadPane(pane: EmailPane, url: URL, signal: AbortSignal) {
  switch (pane) {
    case 'single':
      return { pane, data: null }
    case 'server':
      return { pane, data: await loadServerStatus(signal) }
    case 'bulk':
      return { pane, data: await loadBulkEmails(url, signal) }
    case 'outbox':
      return { pane, data: await loadOutbox(url, signal) }
    case 'returned':
      return { pane, data: await loadReturnedMail(url, signal) }
  }
}

interface EmailTabProps {
  data: EmailTabData | null
  failed: boolean
  onChange: () => void
}

/** Spec §2 "Email communication screen". */
export function EmailTab({ data, failed, onChange }: EmailTabProps) {
  const [search] = useSearchParams()
  const next = useNavigation().location
  // A selected pane appears at once, as its skeleton.
  const isLeading = next?.pathname === '/admin' && tabOf(next.search) === 'email'
  const pane = emailPaneOf(isLeading ? new URLSearchParams(next.search) : search)
  return (
    <LazyScreen>
      <EmailFrame pane={pane} data={data?.frame ?? null} failed={failed} onChange={onChange}>
        <Pane
          pane={pane}
          frame={data?.frame ?? null}
          data={data?.pane === pane ? data : null}
          failed={failed}
        />
      </EmailFrame>
    </LazyScreen>
  )
}

interface PaneProps extends Pick<EmailTabProps, 'data' | 'failed'> {
  pane: EmailPane
  frame: EmailTabData['frame'] | null
}

function Pane({ pane, frame, data, failed }: PaneProps) {
  const isConfigured = frame?.status.isConfigured ?? false
  const queue = frame?.queue ?? null
  switch (pane) {
    case 'single':
      return <SingleEmail disabled={!isConfigured} />
    case 'server':
      return (
        <ServerTest
          isConfigured={isConfigured}
          status={data?.pane === pane ? data.data : null}
          failed={failed}
        />
      )
    case 'bulk':
      return (
        <BulkEmails
          data={data?.pane === pane ? data.data : null}
          failed={failed}
          disabled={!isConfigured}
          queue={queue}
          renderResults={renderResults}
        />
      )
    case 'outbox':
      return (
        <Outbox
          data={data?.pane === pane ? data.data : null}
          failed={failed}
          unknown={queue?.counts.unknown ?? 0}
        />
      )
    case 'returned':
      return <ReturnedMail data={data?.pane === pane ? data.data : null} failed={failed} />
  }
}

function renderResults(list: ResultsList) {
  return <MailMessages {...list} isOneBatch />
}
