import { useId } from 'react'
import { Link } from 'react-router'
import { type AuditItem, actorText, auditActions } from '#shared/audit.ts'
import { fieldWords } from '#shared/student-fields.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { figureText } from '#web/lib/count-text.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/instant-texts.ts'
import { relativeTime, usePresent } from '#web/lib/relative-time.ts'
import { type Activity, shownChanges } from './dashboard-data.ts'

interface RecentActivityProps {
  /** Null while it is being read. */
  activity: Activity | null
  onRetry: () => void
}

/** Who changed what lately, from the audit trail (spec §2 "Dashboard tab"). */
export function RecentActivity({ activity, onRetry }: RecentActivityProps) {
  const id = useId()
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
        <Changes items={activity?.items ?? null} />
      )}
    </section>
  )
}

/** As high as the line of a change, so that nothing moves when it arrives. */
const lineLook = 'flex min-h-15 flex-wrap items-center gap-x-4 border-b px-4 py-2 text-sm last:border-b-0'

function Changes({ items }: { items: readonly AuditItem[] | null }) {
  const texts = useInstantTexts()
  const now = usePresent(items)
  if (items?.length === 0) {
    return <p className="px-4 py-10 text-center text-sm text-muted">Nothing has been changed yet.</p>
  }
  return (
    <ul aria-busy={items === null}>
      {items?.map((item) => <Change key={item.id} item={item} texts={texts} now={now} />) ??
        Array.from({ length: shownChanges }, (_, line) => line).map((line) => (
          <li key={line} className={lineLook}>
            <Skeleton className="h-4 w-2/3 max-w-72" />
          </li>
        ))}
    </ul>
  )
}

function Change({ item, texts, now }: { item: AuditItem; texts: InstantTexts; now: Date }) {
  return (
    <li className={lineLook}>
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">
          <span className="font-medium">{auditActions[item.action]}</span>
          <Subject item={item} />
        </p>
        <p className="text-xs wrap-anywhere text-muted">{actorText(item)}</p>
      </div>
      <time
        dateTime={item.at}
        title={texts.momentOf(item.at)}
        className="text-xs whitespace-nowrap text-muted"
      >
        {relativeTime(item.at, now)}
      </time>
    </li>
  )
}

/** Whom it was about, with a way there while the record stands, else how many, or which fields. */
function Subject({ item: { studentId, studentName, subject, affected, fields } }: { item: AuditItem }) {
  if (studentId !== null && studentName !== null) {
    return (
      <>
        {': '}
        <Link
          to={tabPath('students', { student: studentId })}
          replace
          className="text-primary underline underline-offset-4"
        >
          {studentName}
        </Link>
      </>
    )
  }
  if (affected > 1) return `: ${figureText(affected)}`
  const about = subject || fields.map(fieldWords).join(', ')
  return about === '' ? null : `: ${about}`
}
