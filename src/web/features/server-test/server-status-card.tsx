import type { ReactNode } from 'react'
import { mailStates, mailStateTexts } from '#shared/mail.ts'
import type { ServerStatus } from '#shared/server-status.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { figureText } from '#web/lib/count-text.ts'
import { sizeText } from '#web/lib/size-text.ts'
import { isNearlyFull, uptimeText } from './status-texts.ts'

/** How the server is. @param status null while it is being read */
export function ServerStatusCard({
  status,
  failed = false,
}: {
  status: ServerStatus | null
  failed?: boolean
}) {
  return (
    <section aria-labelledby="server-status" className="rounded-box border bg-card p-4 shadow-card sm:p-5">
      <h2 id="server-status" className="text-lg font-semibold">
        Server Status
      </h2>
      {status ? <Facts status={status} /> : failed ? <Unknown /> : <FactsSkeleton />}
    </section>
  )
}

function Facts({ status }: { status: ServerStatus }) {
  const { version, uptimeSeconds, database, disk, queue, email } = status
  return (
    <dl className="mt-4 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      <Fact term="Version">{version}</Fact>
      <Fact term="Running for">{uptimeText(uptimeSeconds)}</Fact>
      <Fact
        term="Database"
        state={database.reachable ? ['success', 'Reachable'] : ['danger', 'Not reachable']}
      >
        {database.reachable && `PostgreSQL ${database.version}`}
        {database.sizeBytes !== null && `, ${sizeText(database.sizeBytes)}`}
      </Fact>
      <Fact term="E-mail" state={emailState(email.status)}>
        {email.message}
      </Fact>
      <Fact term="Queue" state={queue ? undefined : ['neutral', 'Not known']}>
        {queue && queueText(queue)}
      </Fact>
      <Fact term="Disk" state={diskState(disk)}>
        {disk && `${sizeText(disk.freeBytes)} free of ${sizeText(disk.totalBytes)}`}
      </Fact>
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

function emailState(status: ServerStatus['email']['status']): readonly [BadgeTone, string] {
  switch (status) {
    case 'ok':
      return ['success', 'Ready']
    case 'not_configured':
      return ['warning', 'Not configured']
    case 'error':
      return ['danger', 'Trouble']
  }
}

function diskState(disk: ServerStatus['disk']): readonly [BadgeTone, string] | undefined {
  if (!disk) return ['neutral', 'Not known']
  return isNearlyFull(disk) ? ['warning', 'Nearly full'] : undefined
}

/** What there is, in the order in which mail goes its way. */
function queueText(queue: NonNullable<ServerStatus['queue']>): string {
  const parts = mailStates
    .filter((state) => queue[state] > 0)
    .map((state) => `${figureText(queue[state])} ${mailStateTexts[state].toLowerCase()}`)
  return parts.length === 0 ? 'No e-mails yet' : parts.join(', ')
}

function Unknown() {
  return <p className="mt-4 text-muted">The server’s status could not be read.</p>
}

function FactsSkeleton() {
  return (
    <div role="status" className="mt-4 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      <span className="sr-only">Loading the server status</span>
      {['version', 'uptime', 'database', 'e-mail', 'queue', 'disk'].map((fact) => (
        <div key={fact} className="flex flex-col gap-2">
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-5 w-40" />
        </div>
      ))}
    </div>
  )
}
