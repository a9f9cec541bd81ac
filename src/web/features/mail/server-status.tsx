import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { mailStates, mailStateTexts } from '#shared/mail/mail.ts'
import type { ServerStatus } from '#shared/mail/mail-response.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { SmallButton, SmallLink } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { Loaded, TabFrame } from '#web/components/tab-frame.tsx'
import { api, reading } from '#web/lib/api.ts'
import { countOf, figureText, sizeText } from '#web/lib/number-texts.ts'
import { emailAddress } from './email-data.ts'

export function ServerStatusCard() {
  const query = useQuery({
    queryKey: ['mail', 'server-status'],
    meta: { topics: ['mail-account'] },
    queryFn: reading(api.status.$get, undefined),
  })
  return (
    <TabFrame query={query} failure="Failed to load the server status">
      <Card title="Server Status" className="@container">
        <Loaded query={query} what="the server status" lines={3} className="h-10">
          {(status) => <Facts status={status} />}
        </Loaded>
      </Card>
    </TabFrame>
  )
}

function Facts({ status }: { status: ServerStatus }) {
  const { version, uptimeSeconds, database, disk, queue, email, proxyIgnored } = status
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-4 @md:grid-cols-2 @3xl:grid-cols-3">
      <Fact term="Version">{version}</Fact>
      <Fact term="Running for">{uptimeText(uptimeSeconds)}</Fact>
      <Fact
        term="Database"
        state={database.reachable ? ['success', 'Reachable'] : ['danger', 'Not reachable']}
      >
        {database.reachable && `PostgreSQL ${database.version}`}
        {database.sizeBytes !== null && `, ${sizeText(database.sizeBytes)}`}
      </Fact>
      <Fact term="E-mail" state={emailStates[email.status]}>
        {email.message}
      </Fact>
      <Fact term="Queue" state={queue ? undefined : ['neutral', 'Unknown']}>
        {queue && queueText(queue)}
      </Fact>
      <Fact term="Disk" state={diskState(disk)}>
        {disk && `${sizeText(disk.freeBytes)} free of ${sizeText(disk.totalBytes)}`}
      </Fact>
      {proxyIgnored && (
        <Fact term="Proxy" state={['warning', 'Ignored']}>
          A proxy sends X-Forwarded-For, but TRUST_PROXY is off: all visitors share one rate limit. Set
          TRUST_PROXY.
        </Fact>
      )}
    </dl>
  )
}

interface FactProps {
  term: string
  state?: readonly [BadgeTone, string] | undefined
  children: ReactNode
}

function Fact({ term, state, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
        {state && <Badge tone={state[0]}>{state[1]}</Badge>}
        <span className="min-w-0 empty:hidden">{children}</span>
      </dd>
    </div>
  )
}

const emailStates = {
  ok: ['success', 'Ready'],
  not_configured: ['warning', 'Not configured'],
  error: ['danger', 'Problem'],
} as const

function diskState(disk: ServerStatus['disk']): readonly [BadgeTone, string] | undefined {
  if (!disk) return ['neutral', 'Unknown']
  return isNearlyFull(disk) ? ['warning', 'Nearly full'] : undefined
}

function queueText(queue: NonNullable<ServerStatus['queue']>): string {
  const parts = mailStates
    .filter((state) => queue[state] > 0)
    .map((state) => `${figureText(queue[state])} ${mailStateTexts[state].toLowerCase()}`)
  return parts.length === 0 ? 'No e-mails yet' : parts.join(', ')
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The time in its two largest units: '3 days 4 hours'. */
export function uptimeText(seconds: number): string {
  if (seconds < minute) return 'less than a minute'
  const parts = [
    { unit: 'day', count: Math.floor(seconds / day) },
    { unit: 'hour', count: Math.floor((seconds % day) / hour) },
    { unit: 'minute', count: Math.floor((seconds % hour) / minute) },
  ]
  const first = parts.findIndex(({ count }) => count > 0)
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => countOf(count, unit))
    .join(' ')
}

// The free part below which the disk counts as nearly full.
const fullPart = 0.1

export function isNearlyFull({ freeBytes, totalBytes }: { freeBytes: number; totalBytes: number }): boolean {
  return freeBytes < totalBytes * fullPart
}

interface ToolPageProps {
  title: string
  lead: string
  onRefresh?: () => void
  children: ReactNode
}

export function ToolPage({ title, lead, onRefresh, children }: ToolPageProps) {
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
          <p className="mt-1 wrap-anywhere text-muted">{lead}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {onRefresh && (
            <SmallButton icon={RefreshCw} onClick={onRefresh}>
              Refresh
            </SmallButton>
          )}
          <SmallLink to={emailAddress.to({ pane: 'server' })} icon={ArrowLeft}>
            Back to Email System
          </SmallLink>
        </div>
      </div>
      {children}
    </div>
  )
}
