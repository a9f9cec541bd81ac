import { clsx } from 'clsx'
import {
  CircleCheck,
  CircleDashed,
  Inbox,
  type LucideIcon,
  MailWarning,
  Settings2,
  TriangleAlert,
} from 'lucide-react'
import { type ComponentType, Suspense, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { mailSentences } from '#shared/mail/mail.ts'
import { bulkPerDay, finishText } from '#shared/mail/mail-quota.ts'
import type { MailQueueStatus } from '#shared/mail/mail-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useNow } from '#web/lib/relative-time.ts'
import { ConfigPanel } from './email-config.tsx'
import { type EmailFrameData, type EmailPane, emailAddress, emailPanes, useEmailFrame } from './email-data.ts'

const panes: Record<EmailPane, ComponentType> = {
  single: lazyPart(async () => (await import('./single-email.tsx')).SingleEmail),
  bulk: lazyPart(async () => (await import('./bulk-emails.tsx')).BulkEmails),
  server: lazyPart(async () => (await import('./mail-conversation.tsx')).ServerTest),
  outbox: lazyPart(async () => (await import('./outbox.tsx')).Outbox),
  returned: lazyPart(async () => (await import('./returned-mail.tsx')).ReturnedMail),
}

/** Product 17.1. */
export function EmailTab() {
  const query = useEmailFrame()
  const { can } = useAccount()
  const { data, isError } = query
  const { pane } = emailAddress.read(useLocation().search)
  const Pane = panes[pane]
  const isHydrated = useHydrated()
  const panelId = useId()
  const isConfigured = data?.status.isConfigured ?? true
  // Null until the user toggles the panel. Until then it is open while e-mail is not configured.
  const [wish, setWish] = useState<boolean | null>(null)
  const isOpen = wish ?? !isConfigured
  const button = useRef<HTMLButtonElement>(null)

  function onChange() {
    setWish(null)
    button.current?.focus()
  }

  return (
    <TabFrame query={query} failure="Failed to load the e-mail system">
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="text-2xl font-bold tracking-tight">Email System</h1>
          {can('mail.account') && (
            <SmallButton
              ref={button}
              aria-expanded={isOpen}
              aria-controls={panelId}
              disabled={!data}
              icon={Settings2}
              onClick={() => setWish(!isOpen)}
            >
              Configuration
            </SmallButton>
          )}
        </div>
        {data ? <ServiceStatus data={data} /> : !isError && <Skeleton className="h-6 w-64" />}
        {/* Stays mounted while closed, so that input isn't lost. */}
        <div id={panelId} hidden={!isOpen}>
          {data && can('mail.account') && <ConfigPanel data={data} onChange={onChange} />}
        </div>
        {/* Below the panel, whose state comes with the data: nothing shown must move. */}
        {(data || isError) && (
          <PaneNav
            selected={pane}
            counts={data ? { outbox: data.queue.counts.unknown, returned: data.returned } : {}}
          />
        )}
        {/* Drawn in the browser only: React keeps a disabled field of the server's markup when the account is known earlier than
            the pane's scripts. */}
        {isHydrated && (
          <div hidden={!data && !isError}>
            <Suspense key={pane} fallback={<div aria-busy="true" className="min-h-screen" />}>
              <Pane />
            </Suspense>
          </div>
        )}
      </div>
    </TabFrame>
  )
}

const statusIcons = {
  ok: { Icon: CircleCheck, tone: 'text-success' },
  not_configured: { Icon: CircleDashed, tone: 'text-warning' },
  error: { Icon: TriangleAlert, tone: 'text-danger' },
} as const

function ServiceStatus({ data }: { data: EmailFrameData }) {
  const { can } = useAccount()
  const { status, queue } = data
  const hasProblem = status.status === 'ok' && queue.trouble !== ''
  const { Icon, tone } = statusIcons[hasProblem ? 'error' : status.status]
  return (
    <div className="min-w-0 text-sm">
      <p role="status" className="flex items-start gap-2 font-medium">
        <Icon className={clsx('mt-0.5 size-5 shrink-0', tone)} />
        <span className="min-w-0 py-0.5 wrap-anywhere">
          <AddressText text={statusSentence(data)} />
        </span>
      </p>
      {status.isConfigured && <Queue queue={queue} />}
      {status.isConfigured && data.publicAddress === '' && (
        <p className="mt-2 rounded-box bg-warning-soft px-4 py-3 text-warning">
          {mailSentences.noPublicAddress}{' '}
          {can('settings') && (
            <Link className="font-semibold underline" to={`${tabPath('system-settings')}#public-address`}>
              Public address
            </Link>
          )}
        </p>
      )}
    </div>
  )
}

function Queue({ queue }: Pick<EmailFrameData, 'queue'>) {
  const timeZone = useProgramTimeZone()
  const now = useNow(queue)
  const { counts, finishesAt } = queue
  const waiting = counts.queued + counts.sending
  return (
    <p className="mt-0.5 pl-7 text-muted tabular-nums">
      {quotaText(queue)}{' '}
      {waiting > 0 && (
        <>
          {countOf(waiting, 'message')} waiting
          {finishesAt === null ? '.' : `, finishes ${finishText(finishesAt, now, timeZone)}.`}
        </>
      )}
    </p>
  )
}

type StatusFacts = Pick<EmailFrameData, 'status' | 'account'> & {
  queue: Pick<EmailFrameData['queue'], 'trouble'>
}

export function statusSentence({ status, account, queue }: StatusFacts): string {
  // An account whose password can no longer be decrypted counts as not configured too.
  if (status.status !== 'ok') return status.message
  if (queue.trouble !== '') return queue.trouble
  return account ? `Sending as ${account.senderAddress}.` : status.message
}

type QuotaFacts = Pick<MailQueueStatus, 'counts' | 'sentToday' | 'perDay'>

/** The used part of the daily quota, and why bulk mail waits although some of it is left. */
export function quotaText({ counts, sentToday, perDay }: QuotaFacts): string {
  const used = `${figureText(sentToday)} of ${figureText(perDay)} sent in the last 24 hours.`
  const isBulkWaiting = counts.queued > 0 && sentToday >= bulkPerDay(perDay) && sentToday < perDay
  return isBulkWaiting
    ? `${used} The rest is reserved for confirmations and single e-mails; bulk e-mail continues later.`
    : used
}

// The first three send and test; the others show what became of it.
const paneLinks: Record<EmailPane, { label: string; Icon?: LucideIcon; todo?: string }> = {
  single: { label: 'Single Email' },
  bulk: { label: 'Bulk Emails' },
  server: { label: 'Server Test' },
  outbox: { label: 'Outbox', Icon: Inbox, todo: 'to review' },
  returned: { label: 'Bounced addresses', Icon: MailWarning, todo: 'to resolve' },
}

function PaneNav({ selected, counts }: { selected: EmailPane; counts: Partial<Record<EmailPane, number>> }) {
  // A selection of students stays with the tab, also while the account is set up or tested.
  const { state } = useLocation()
  const { can } = useAccount()
  const isOpen = (pane: EmailPane) => pane !== 'server' || can('mail.account')
  function linkTo(pane: EmailPane) {
    const { label, Icon, todo } = paneLinks[pane]
    const count = counts[pane] ?? 0
    return (
      <li key={pane} className="flex max-md:grow">
        <Link
          to={emailAddress.to({ pane })}
          state={state}
          aria-current={pane === selected ? 'page' : undefined}
          preventScrollReset
          className={clsx(
            '-mb-px flex min-h-11 grow items-center justify-center gap-2 border-b-2 px-3 text-sm max-md:px-1 -outline-offset-2',
            pane === selected
              ? 'border-primary font-semibold text-primary'
              : 'border-transparent text-muted hover:border-edge hover:text-fg',
            !Icon && 'font-semibold',
          )}
        >
          {Icon && <Icon className="size-4 shrink-0" />}
          {label}
          {count > 0 && (
            <span className="rounded-full bg-warning-soft px-2 py-0.5 text-xs font-semibold text-warning tabular-nums">
              {figureText(count)}
              <span className="sr-only"> {todo}</span>
            </span>
          )}
        </Link>
      </li>
    )
  }

  return (
    <nav
      aria-label="Email System"
      className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-b max-md:flex-col max-md:items-stretch"
    >
      <ul className="flex flex-wrap gap-1">{emailPanes.slice(0, 3).filter(isOpen).map(linkTo)}</ul>
      {/* As wide as their labels: with its count the second is wider than half a phone. */}
      <ul className="flex flex-wrap gap-1 max-md:border-t">{emailPanes.slice(3).map(linkTo)}</ul>
    </nav>
  )
}
