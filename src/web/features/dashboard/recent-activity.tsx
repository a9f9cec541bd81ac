import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { type AuditItem, actorText, auditActions } from '#shared/audit.ts'
import { fieldWords } from '#shared/student-fields.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { countOf, figureText } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { relativeTime, usePresent } from '#web/lib/relative-time.ts'
import { type ActivityLine, activityLines, type DashboardData, shownChanges } from './dashboard-data.ts'

interface RecentActivityProps {
  /** Null while it is being read. */
  data: DashboardData | null
  onRetry: () => void
}

/** Who enlisted lately, and who changed what by the audit trail (spec §2 "Dashboard tab"). */
export function RecentActivity({ data, onRetry }: RecentActivityProps) {
  const id = useId()
  const activity = data?.activity
  return (
    <section aria-labelledby={id} className="mt-6 rounded-box border bg-card shadow-card">
      <header className="flex items-center justify-between gap-3 border-b px-4 py-2.5">
        <h2 id={id} className="font-semibold">
          Recent Activity
        </h2>
        <Link
          to={tabPath('audit')}
          replace
          className="inline-flex min-h-9 items-center rounded-box text-sm font-medium text-primary underline-offset-4 hover:underline max-md:min-h-11"
        >
          Audit trail
        </Link>
      </header>
      {activity && 'failure' in activity ? (
        <div className="p-4">
          <ErrorBanner
            message={`Failed to load the recent activity: ${activity.failure}`}
            onRetry={onRetry}
          />
        </div>
      ) : (
        <Lines data={data} items={activity?.items} />
      )}
    </section>
  )
}

/** As high as the line of a change, so that nothing moves when it arrives. */
const lineLook = 'flex min-h-15 flex-wrap items-center gap-x-4 border-b px-4 py-2 text-sm last:border-b-0'

function Lines({ data, items }: { data: DashboardData | null; items: readonly AuditItem[] | undefined }) {
  const texts = useInstantTexts()
  const now = usePresent(data)
  const lines = data && items ? activityLines(items, data.counts.enlistments) : null
  if (lines?.length === 0) {
    return <p className="px-4 py-10 text-center text-sm text-muted">Nothing has happened yet.</p>
  }
  return (
    <ul aria-busy={lines === null}>
      {lines?.map((line) => (
        <li key={keyOf(line)} className={lineLook}>
          <LineText line={line} />
          <time
            dateTime={line.at}
            title={texts.momentOf(line.at)}
            className="text-xs whitespace-nowrap text-muted"
          >
            {relativeTime(line.at, now)}
          </time>
        </li>
      )) ??
        Array.from({ length: shownChanges }, (_, line) => line).map((line) => (
          <li key={line} className={lineLook}>
            <Skeleton className="h-4 w-2/3 max-w-72" />
          </li>
        ))}
    </ul>
  )
}

function keyOf(line: ActivityLine): string {
  switch (line.kind) {
    case 'change':
      return line.item.id
    case 'enlistment':
      return line.id
    case 'enlistments':
      return line.kind
  }
}

/** What happened, to whom, and by whom. */
function LineText({ line }: { line: ActivityLine }) {
  switch (line.kind) {
    case 'change':
      return (
        <LineBody by={actorText(line.item)}>
          <span className="font-medium">{auditActions[line.item.action]}</span>
          <Subject item={line.item} />
        </LineBody>
      )
    case 'enlistment':
      return (
        <LineBody by="Registration form">
          <span className="font-medium">Student enlisted</span>
          {': '}
          <StudentLink id={line.id} name={line.name} />
        </LineBody>
      )
    case 'enlistments':
      return (
        <LineBody by="Registration form, in the last 7 days">
          <Link
            to={tabPath('students', { period: 'last-7-days' })}
            replace
            className="font-medium text-primary underline underline-offset-4"
          >
            {countOf(line.count, 'student')} enlisted
          </Link>
        </LineBody>
      )
  }
}

function LineBody({ by, children }: { by: string; children: ReactNode }) {
  return (
    <div className="min-w-0 flex-1 basis-60">
      <p className="wrap-anywhere">{children}</p>
      <p className="text-xs wrap-anywhere text-muted">{by}</p>
    </div>
  )
}

function StudentLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      to={tabPath('students', { student: id })}
      replace
      className="text-primary underline underline-offset-4"
    >
      {name}
    </Link>
  )
}

/** Whom it was about, with a way there while the record stands, else how many, or which fields. */
function Subject({ item: { studentId, studentName, subject, affected, fields } }: { item: AuditItem }) {
  if (studentId !== null && studentName !== null) {
    return (
      <>
        {': '}
        <StudentLink id={studentId} name={studentName} />
      </>
    )
  }
  if (affected > 1) return `: ${figureText(affected)}`
  const about = subject || fields.map(fieldWords).join(', ')
  return about === '' ? null : `: ${about}`
}
