import { useQuery } from '@tanstack/react-query'
import { ArrowRight, CircleCheck } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { defaultStudentFilters, type StudentFilters } from '#shared/students/students.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { axisLines, bucketText } from './statistics-texts.ts'

interface Task {
  text: string
  to: string
}

/** What waits for the office, each a link to its list. */
export function Attention() {
  const id = useId()
  const query = useQuery({
    // Not by changes of students: counting them walks the records, and in a rush they change all the time.
    queryKey: ['announcements', 'attention'],
    meta: { topics: ['settings', 'mail'] },
    queryFn: ({ signal }) => readTasks(signal),
  })
  const failure = failureOf(query)
  return (
    <section aria-labelledby={id} className="rounded-box border bg-card shadow-card">
      <h2 id={id} className="border-b px-4 py-3 font-semibold">
        Needs attention
      </h2>
      {failure !== null ? (
        <div className="p-4">
          <ErrorBanner
            message={`Failed to load what needs attention: ${failure}`}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : (
        <Tasks tasks={query.data} />
      )}
    </section>
  )
}

function Tasks({ tasks }: { tasks: readonly Task[] | undefined }) {
  if (!tasks) {
    return (
      <div className="p-4">
        <Loading what="what needs attention" lines={4} className="h-8" />
      </div>
    )
  }
  if (tasks.length === 0) {
    return (
      <p className="flex items-center gap-2 px-4 py-6 text-sm text-muted">
        <CircleCheck className="size-5 text-success" />
        Nothing needs attention.
      </p>
    )
  }
  return (
    <ul>
      {tasks.map(({ text, to }) => (
        <li key={text} className="border-b last:border-b-0">
          <Link
            to={to}
            replace
            className="flex min-h-11 items-center justify-between gap-3 px-4 py-2 text-sm font-medium hover:bg-soft"
          >
            {text}
            <ArrowRight className="size-4 shrink-0 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}

const oldBackupDays = 7
const dayMs = 86_400_000

async function readTasks(signal: AbortSignal): Promise<Task[]> {
  const init = { init: { signal } }
  const countStudents = async (filters: Partial<StudentFilters>) => {
    const query = { ...defaultStudentFilters, ...filters, page: '1', pageSize: '1' }
    return (await callApi(api.students.$get({ query }, init))).total
  }
  const countAnnouncements = async (state: 'draft' | 'scheduled') => {
    const query = { all: 'true', state, limit: '50' } as const
    return (await callApi(api.announcements.$get({ query }, init))).items.length
  }
  const [incomplete, duplicates, drafts, planned, { openCount: bounced }, { counts }, backup] =
    await Promise.all([
      countStudents({ missing: 'studentId' }),
      countStudents({ duplicates: 'only' }),
      countAnnouncements('draft'),
      countAnnouncements('scheduled'),
      callApi(api.mail.bounces.$get({ query: {} }, init)),
      callApi(api.mail.queue.$get(undefined, init)),
      callApi(api.backup.$get(undefined, init)),
    ])
  const tasks: [number, string, string][] = [
    [
      duplicates,
      `${countOf(duplicates, 'possible duplicate')} to decide`,
      tabPath('students', { duplicates: 'only' }),
    ],
    [
      incomplete,
      `${countOf(incomplete, 'student')} without a student ID`,
      tabPath('students', { missing: 'studentId' }),
    ],
    [bounced, `${countOf(bounced, 'e-mail')} bounced`, tabPath('email', { pane: 'returned' })],
    [
      counts.unknown,
      `${countOf(counts.unknown, 'e-mail')} to review`,
      tabPath('email', { pane: 'outbox', state: 'unknown' }),
    ],
    [
      counts.failed,
      `${countOf(counts.failed, 'e-mail')} failed`,
      tabPath('email', { pane: 'outbox', state: 'failed' }),
    ],
    [drafts, countOf(drafts, 'draft announcement'), tabPath('announcements', { state: 'draft' })],
    [
      planned,
      `${countOf(planned, 'announcement')} scheduled`,
      tabPath('announcements', { state: 'scheduled' }),
    ],
  ]
  const days = backup.last && Math.floor((Date.now() - Date.parse(backup.last.at)) / dayMs)
  const backupText =
    days === null ? 'No backup yet' : days > oldBackupDays && `The last backup is ${days} days old`
  return [
    ...tasks.filter(([count]) => count > 0).map(([, text, to]) => ({ text, to })),
    ...(backupText ? [{ text: backupText, to: `${tabPath('system-settings')}#backup` }] : []),
  ]
}

/** Registrations of the last seven days, by day. */
export function RecentRegistrations() {
  const id = useId()
  const { data } = useQuery({
    queryKey: ['students', 'statistics', 'last-7-days'],
    queryFn: ({ signal }) =>
      callApi(
        api.statistics.$get({ query: { period: 'last-7-days', component: 'all' } }, { init: { signal } }),
      ),
  })
  const buckets = data?.registrations.buckets ?? []
  const spoken = buckets
    .map(({ start, count }) => `${bucketText(start, 'day')}: ${figureText(count)}`)
    .join(', ')
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <section aria-labelledby={id} className="rounded-box border bg-card shadow-card">
      <h2 id={id} className="border-b px-4 py-3 font-semibold">
        Registrations by day
      </h2>
      <Link
        to="/statistics?period=last-7-days"
        aria-label={`Statistics of the last 7 days. ${spoken}`}
        className="flex h-44 items-end gap-2 p-4"
      >
        {buckets.map(({ start, count }) => (
          <span
            key={start}
            aria-hidden="true"
            className="flex h-full min-w-0 flex-1 flex-col justify-end text-center"
          >
            <span className="text-xs font-semibold tabular-nums">{figureText(count)}</span>
            <span
              className="mt-1 rounded-t-sm bg-primary print-colours"
              style={{ height: `${(70 * count) / most}%`, minHeight: 2 }}
            />
            <span className="mt-1 truncate text-xs text-muted">{axisLines(start, 'day')}</span>
          </span>
        ))}
      </Link>
    </section>
  )
}
