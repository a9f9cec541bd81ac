import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ArrowRight, Circle, CircleCheck, CircleDashed, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link, type LoaderFunctionArgs, useNavigate, useRouteLoaderData } from 'react-router'
import { defaultSettings } from '#shared/settings/settings.ts'
import type { DashboardCounts } from '#shared/statistics/statistics-response.ts'
import { defaultStudentFilters, type StudentFilters } from '#shared/students/students.ts'
import { IconButton, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { type ApiClient, api, callApi, serverApi } from '#web/lib/api.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { isOwnComputer } from '#web/lib/own-computer.ts'
import { failureOf } from '#web/lib/query.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { useThrottled } from '#web/lib/timers.ts'
import { axisLines, bucketText } from './statistics-texts.ts'

interface Task {
  text: string
  to: string
}

interface PanelProps {
  title: string
  aside?: ReactNode
  className?: string
  /** Before the sentence of a failure, which takes the place of the content. */
  failed?: string
  query?: UseQueryResult
  children: ReactNode
}

/** A part of the dashboard with its own heading. */
export function Panel({ title, aside, className, failed, query, children }: PanelProps) {
  const id = useId()
  const failure = query ? failureOf(query) : null
  return (
    <section aria-labelledby={id} className={clsx('rounded-box border bg-card shadow-card', className)}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 border-b px-4">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {failure === null ? (
        children
      ) : (
        <div className="p-4">
          <ErrorBanner message={`${failed}: ${failure}`} onRetry={() => void query?.refetch()} />
        </div>
      )}
    </section>
  )
}

export const attentionQuery = (from: ApiClient) =>
  queryOptions({
    queryKey: ['announcements', 'attention'],
    meta: { topics: ['settings', 'mail'] },
    queryFn: ({ signal }) => readTasks(from, signal),
  })

// In ms.
const studentsRestMs = 15_000

/** What waits for the office, each a link to its list. */
export function Attention() {
  const query = useQuery(attentionQuery(api))
  const { refetch } = query
  // Counting walks the records, and in a rush they change all the time.
  useLiveTopics(
    ['students'],
    useThrottled(async () => void (await refetch()), studentsRestMs),
  )
  return (
    <Panel title="Needs attention" failed="Failed to load what needs attention" query={query}>
      <Tasks tasks={query.data} />
    </Panel>
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

async function readTasks(from: ApiClient, signal: AbortSignal): Promise<Task[]> {
  const init = { init: { signal } }
  const countStudents = async (filters: Partial<StudentFilters>) => {
    const query = { ...defaultStudentFilters, ...filters, page: '1', pageSize: '1' }
    return (await callApi(from.students.$get({ query }, init))).total
  }
  const countAnnouncements = async (state: 'draft' | 'scheduled') => {
    const query = { all: 'true', state, limit: '50' } as const
    return (await callApi(from.announcements.$get({ query }, init))).items.length
  }
  const [incomplete, duplicates, drafts, planned, { openCount: bounced }, { counts }, backup, retention] =
    await Promise.all([
      countStudents({ missing: 'studentId' }),
      countStudents({ duplicates: 'only' }),
      countAnnouncements('draft'),
      countAnnouncements('scheduled'),
      callApi(from.mail.bounces.$get({ query: {} }, init)),
      callApi(from.mail.queue.$get(undefined, init)),
      callApi(from.backup.$get(undefined, init)),
      callApi(from.retention.$get(undefined, init)),
    ])
  const outbox = (state: string) => tabPath('email', { pane: 'outbox', state })
  const tasks: [number, string, string, string][] = [
    [duplicates, 'possible duplicate', ' to decide', tabPath('students', { duplicates: 'only' })],
    [
      incomplete,
      'student',
      incomplete === 1 ? ' has no student ID' : ' have no student ID',
      tabPath('students', { missing: 'studentId' }),
    ],
    [bounced, 'e-mail', ' bounced', tabPath('email', { pane: 'returned' })],
    [counts.unknown, 'e-mail', ' to review', outbox('unknown')],
    [counts.failed, 'e-mail', ' failed', outbox('failed')],
    [drafts, 'draft announcement', '', tabPath('announcements', { state: 'draft' })],
    [planned, 'announcement', ' scheduled', tabPath('announcements', { state: 'scheduled' })],
  ]
  const days = backup.last && Math.floor((Date.now() - Date.parse(backup.last.at)) / dayMs)
  const backupText =
    days === null ? 'No backup yet' : days > oldBackupDays && `The last backup is ${days} days old`
  const settings = tabPath('system-settings')
  return [
    ...(retention.stopped
      ? [{ text: 'Check the server date: clean-up is paused', to: `${settings}#retention` }]
      : []),
    ...tasks
      .filter(([count]) => count > 0)
      .map(([count, noun, rest, to]) => ({ text: countOf(count, noun) + rest, to })),
    ...(backupText ? [{ text: backupText, to: `${settings}#backup` }] : []),
  ]
}

export const recentQuery = (from: ApiClient) =>
  queryOptions({
    queryKey: ['students', 'statistics', 'last-7-days'],
    queryFn: ({ signal }) =>
      callApi(
        from.statistics.$get({ query: { period: 'last-7-days', component: 'all' } }, { init: { signal } }),
      ),
  })

const shownDays = 7

/** Registrations of today and the six days before. */
export function RecentRegistrations() {
  const { data } = useQuery(recentQuery(api))
  // 168 hours touch eight dates; the first of them isn't whole.
  const buckets = (data?.registrations.buckets ?? []).slice(-shownDays)
  const spoken = buckets
    .map(({ start, count }) => `${bucketText(start, 'day')}: ${figureText(count)}`)
    .join(', ')
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <Panel
      title="Registrations by day"
      aside={<p className="text-xs text-muted">Archived students included</p>}
    >
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
    </Panel>
  )
}

const hiddenMark = 'hidden'

export interface Start {
  /** Null where it wasn't asked for. */
  isNew: boolean | null
  marks: readonly string[]
}

/** Read by the server: the list is part of the first paint, and nothing moves down for it. */
export async function readStart({ context, request }: LoaderFunctionArgs): Promise<Start> {
  const marks = marksOf(request.headers.get('Cookie') ?? '')
  if (tabOf(new URL(request.url).search) !== 'dashboard') return { isNew: null, marks }
  const counts = await callApi(serverApi(context, request).dashboard.$get()).catch(() => null)
  return { isNew: counts && isUnused(counts), marks }
}

function isUnused({ totalStudents, archivedStudents }: DashboardCounts): boolean {
  // One of the steps is a registration to try it out.
  return totalStudents + archivedStudents <= 1
}

/** The steps that were opened from the list and can't be seen in the settings. A cookie, which the server knows too. */
function marksOf(cookies: string): string[] {
  return /(?:^|; )nstp-start=([\w.]+)/.exec(cookies)?.[1]?.split('.') ?? []
}

/** What a new office sets up first. Put away, it is found again by Ctrl K. @param isAsked shown anyway */
export function GettingStarted({ counts, isAsked }: { counts: DashboardCounts | null; isAsked: boolean }) {
  const navigate = useNavigate()
  const start = useRouteLoaderData<Start>('pages/admin')
  const [marks, setMarks] = useState(() =>
    typeof document === 'undefined' ? (start?.marks ?? []) : marksOf(document.cookie),
  )
  // While the page is open, students don't take the list away.
  const isNew = start?.isNew ?? (counts !== null && isUnused(counts))
  if (!(isAsked || (isNew && !marks.includes(hiddenMark)))) return null

  function add(mark: string) {
    const all = [...new Set([...marks, mark])]
    setMarks(all)
    // biome-ignore lint/suspicious/noDocumentCookie: browsers have no other way without https
    document.cookie = `nstp-start=${all.join('.')}; path=/admin; max-age=31536000; samesite=lax`
  }
  return (
    <Checklist
      marks={marks}
      onOpen={add}
      onHide={() => {
        add(hiddenMark)
        void navigate(tabPath('dashboard'), { replace: true })
      }}
    />
  )
}

interface ChecklistProps {
  marks: readonly string[]
  onOpen: (mark: string) => void
  onHide: () => void
}

function Checklist({ marks, onOpen, onHide }: ChecklistProps) {
  const { query, steps } = useSteps(marks)
  const failure = failureOf(query)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Panel
      title="Getting started"
      className="mb-5 border-primary"
      aside={
        <>
          <p className="mr-auto text-sm text-muted">
            {done} of {steps.length} done
          </p>
          <IconButton label="Hide getting started" icon={X} onClick={onHide} className="-mr-2" />
        </>
      }
    >
      <StepList name="First" steps={steps.filter(({ isMust }) => isMust)} onOpen={onOpen} />
      <StepList name="Later" steps={steps.filter(({ isMust }) => !isMust)} onOpen={onOpen} />
      {failure !== null && (
        <div className="border-t p-4">
          <ErrorBanner
            message={`Failed to check some of the steps: ${failure}`}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
    </Panel>
  )
}

interface StepListProps {
  name: string
  steps: readonly Step[]
  onOpen: (mark: string) => void
}

function StepList({ name, steps, onOpen }: StepListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-b last:border-b-0">
      <h3 id={id} className="px-4 pt-3 text-sm font-semibold text-muted">
        {name}
      </h3>
      <ul className="grid grid-cols-1 pb-1 sm:grid-cols-2">
        {steps.map(({ title, to, mark, confirm, isDone }) => (
          <li key={title} className="flex flex-wrap items-center gap-x-2 pr-4">
            <Link
              to={to}
              {...(to === registerPath && { target: '_blank' })}
              onClick={() =>
                mark && !confirm && !(to === posterPath && isOwnComputer(location.hostname)) && onOpen(mark)
              }
              className="flex min-h-11 min-w-0 flex-auto items-center gap-3 px-4 py-1 text-sm font-medium wrap-anywhere hover:bg-soft"
            >
              {isDone ? (
                <CircleCheck className="size-5 shrink-0 text-success" />
              ) : isDone === undefined ? (
                <CircleDashed className="size-5 shrink-0 text-muted" />
              ) : (
                <Circle className="size-5 shrink-0 text-muted" />
              )}
              {title}
              {isDone !== undefined && <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>}
            </Link>
            {confirm && mark && !isDone && <SmallButton onClick={() => onOpen(mark)}>{confirm}</SmallButton>}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Step {
  title: string
  to: string
  isMust?: true
  /** Done once opened from here, or by its own button. */
  mark?: string
  confirm?: string
  isDone: boolean | undefined
}

const registerPath = '/register'
// Its address is of use once other devices reach it.
const posterPath = '/poster'

function useSteps(marks: readonly string[]) {
  const settings = useSettings()
  const query = useQuery({
    queryKey: ['mail-account', 'getting-started'],
    meta: { topics: ['settings', 'session'] },
    async queryFn({ signal }) {
      const init = { init: { signal } }
      const [{ status, publicAddress }, { isOn }, { last }] = await Promise.all([
        callApi(api.mail.account.$get(undefined, init)),
        callApi(api.session['two-factor'].$get(undefined, init)),
        callApi(api.backup.$get(undefined, init)),
      ])
      return {
        hasMail: status.isConfigured,
        hasAddress: publicAddress !== '',
        hasTwoFactor: isOn,
        hasBackup: last !== null,
      }
    },
  })
  const { data } = query
  const setting = (anchor: string) => `${tabPath('system-settings')}#${anchor}`
  const { schoolName, logo, courses, rotcOfficeAddress, testimonials, enlistment, contact, dataProtection } =
    settings
  const samples = new Set(defaultSettings.testimonials.items.map(({ quote }) => quote))
  const hasOwnQuote = testimonials.items.some(({ quote }) => !samples.has(quote))
  const sampleCourses = courses.filter((course) => defaultSettings.courses.includes(course))
  const opened = (mark: string) => ({ mark, isDone: marks.includes(mark) })
  const must = { isMust: true } as const
  const steps: Step[] = [
    { ...must, title: 'School name', to: setting('names'), isDone: schoolName !== '' },
    {
      ...must,
      title: `Courses and academic years${sampleCourses.length > 0 ? ` (${sampleCourses.join(', ')}: samples)` : ''}`,
      to: setting('courses'),
      mark: 'courses',
      confirm: 'These are ours',
      isDone: sampleCourses.length === 0 || marks.includes('courses'),
    },
    {
      ...must,
      title: 'Data protection contact',
      to: setting('data-protection-contact'),
      isDone: dataProtection.email + dataProtection.phone !== '',
    },
    { ...must, title: 'Open enlistment', to: setting('enlistment'), isDone: enlistment.state !== 'closed' },
    { title: 'Submit a test enlistment', to: registerPath, ...opened('try') },
    { title: 'Share link and QR poster', to: posterPath, ...opened('poster') },
    { title: 'E-mail account', to: tabPath('email'), isDone: data?.hasMail },
    { title: 'Public address for links in e-mails', to: setting('public-address'), isDone: data?.hasAddress },
    { title: 'First backup', to: setting('backup'), isDone: data?.hasBackup },
    { title: 'Two-factor sign-in', to: tabPath('profile-settings'), isDone: data?.hasTwoFactor },
    {
      title: 'Contact of the office',
      to: setting('contact'),
      isDone: contact.address + contact.email + contact.phone !== '',
    },
    { title: 'Logo', to: setting('logo'), isDone: logo !== null },
    { title: 'Office address on the ROTC form', to: setting('names'), isDone: rotcOfficeAddress !== '' },
    { title: 'Testimonials of your graduates', to: setting('testimonials'), isDone: hasOwnQuote },
  ]
  return { query, steps }
}
