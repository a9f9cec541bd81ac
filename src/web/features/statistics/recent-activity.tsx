import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { actorText, affectedNoun, auditActions } from '#shared/audit/audit.ts'
import type { AuditItem } from '#shared/audit/audit-response.ts'
import type { DashboardCounts, Enlistments } from '#shared/statistics/statistics-response.ts'
import { fieldWords } from '#shared/students/student-fields.ts'
import { Panel } from '#web/components/panel.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { type ApiClient, api, callApi } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { relativeTime, useNow } from '#web/lib/relative-time.ts'

export const activityQuery = (from: ApiClient) =>
  queryOptions({
    queryKey: ['students', 'activity'],
    meta: { topics: ['announcements', 'settings'] },
    queryFn: ({ signal }) => {
      const filters = { kind: 'changes', limit: String(shownChanges) } as const
      return callApi(from.audit.$get({ query: filters }, { init: { signal } }))
    },
  })

/** From the audit trail. */
export function RecentActivity({ counts }: { counts: DashboardCounts | null }) {
  const query = useQuery(activityQuery(api))
  return (
    <Panel
      title="Recent Activity"
      className="mt-6"
      aside={
        <Link
          to={tabPath('audit')}
          replace
          className="inline-flex min-h-9 items-center rounded-box text-sm font-medium text-primary underline-offset-4 hover:underline max-md:min-h-11"
        >
          Audit trail
        </Link>
      }
      whatFailed="Failed to load the recent activity"
      query={query}
    >
      <Lines counts={counts} items={query.data?.items} />
    </Panel>
  )
}

// A placeholder is as high as a line, so that the layout doesn't shift.
const lineClass = 'flex min-h-15 flex-wrap items-center gap-x-4 border-b px-4 py-2 text-sm last:border-b-0'

interface LinesProps {
  counts: DashboardCounts | null
  items: readonly AuditItem[] | undefined
}

function Lines({ counts, items }: LinesProps) {
  const texts = useInstantTexts()
  const now = useNow(items)
  const lines = counts && items ? activityLines(items, counts.enlistments) : null
  if (lines?.length === 0) {
    return <p className="px-4 py-10 text-center text-sm text-muted">No recent activity.</p>
  }
  return (
    <ul aria-busy={lines === null}>
      {lines?.map(({ id, at, by, what, list, student, note }) => (
        <li key={id} className={lineClass}>
          <div className="min-w-0 flex-1 basis-60">
            <p className="wrap-anywhere">
              <span className="font-medium">{list ? <ListLink to={list}>{what}</ListLink> : what}</span>
              {student && ': '}
              {student && (
                <ListLink to={tabPath('students', { student: student.id })}>{student.name}</ListLink>
              )}
              {note}
            </p>
            <p className="text-xs wrap-anywhere text-muted">{by}</p>
          </div>
          {/* The time has gone on since the server wrote it. */}
          <time
            suppressHydrationWarning
            dateTime={at}
            title={texts.momentOf(at)}
            className="text-xs whitespace-nowrap text-muted"
          >
            {relativeTime(at, now)}
          </time>
        </li>
      )) ??
        Array.from({ length: shownChanges }, (_, line) => line).map((line) => (
          <li key={line} className={lineClass}>
            <Skeleton className="h-4 w-2/3 max-w-72" />
          </li>
        ))}
    </ul>
  )
}

function ListLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} replace className="text-primary underline underline-offset-4">
      {children}
    </Link>
  )
}

const shownChanges = 8

interface ActivityLine {
  id: string
  at: string
  by: string
  what: string
  /** The address of the students it is about. */
  list?: string
  student?: { id: string; name: string }
  note?: string
}

/** Newest first; many enlistments are one line. */
export function activityLines(items: readonly AuditItem[], { count, latest }: Enlistments): ActivityLine[] {
  const by = 'In the last 7 days'
  const list = tabPath('students', { period: 'last-7-days' })
  const enlisted =
    count > latest.length
      ? latest
          .slice(0, 1)
          .map(({ id, at }) => ({ id, at, by, list, what: `${countOf(count, 'student')} enlisted` }))
      : latest.map((student) => ({ id: student.id, at: student.at, by, student, what: 'Student enlisted' }))
  const changes = items.map((item) => ({
    id: item.id,
    at: item.at,
    by: actorText(item),
    what: auditActions[item.action],
    ...subjectOf(item),
  }))
  return [...enlisted, ...changes].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, shownChanges)
}

function subjectOf(item: AuditItem): Pick<ActivityLine, 'student' | 'note'> {
  const { action, studentId: id, studentName: name, subject, affected, fields } = item
  if (id !== null && name !== null) return { student: { id, name } }
  if (affected > 1) return { note: ` (${countOf(affected, affectedNoun(action))})` }
  const about = subject || fields.map(fieldWords).join(', ')
  return about === '' ? {} : { note: `: ${about}` }
}
