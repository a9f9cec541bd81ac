import { queryOptions, useQueries } from '@tanstack/react-query'
import { limitStandings } from '#shared/attendance/standing.ts'
import type { Permission } from '#shared/people/permissions.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { withDefaults } from '#shared/settings/settings.ts'
import { agingYears } from '#shared/students/academic-year.ts'
import { defaultStudentFilters, type StudentFilters } from '#shared/students/students.ts'
import { levelName } from '#shared/terms/level-names.ts'
import type { Topic } from '#shared/topics.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Panel } from '#web/components/panel.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { type Task, TaskList } from '#web/components/task-list.tsx'
import { type Account, useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { type ApiClient, api, callApi } from '#web/lib/api.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { dateOf, relativeTime } from '#web/lib/relative-time.ts'
import { useThrottled } from '#web/lib/timers.ts'

interface Figure {
  // The topic whose changes concern the figure.
  topic: Topic
  needs: Permission
  read: (from: ApiClient, init: { init: { signal: AbortSignal } }) => Promise<Task[]>
}

const oldBackupDays = 7
const dayMs = 86_400_000
const settings = tabPath('system-settings')

/** The figures by the names that a failure shows. */
const figures: Record<string, Figure> = {
  'the clean-up': {
    topic: 'settings',
    needs: 'retention',
    async read(from, init) {
      const { stopped } = await callApi(from.retention.$get(undefined, init))
      return stopped ? [{ text: 'Check the server date: clean-up is paused', to: tabPath('privacy') }] : []
    },
  },
  'requests of students': {
    topic: 'requests',
    needs: 'students.edit',
    async read(from, init) {
      const { open, oldest } = await callApi(from.requests.counts.$get(undefined, init))
      const since = oldest === null ? '' : `, the oldest made ${relativeTime(oldest, new Date())}`
      return counted(open, 'request', ` of students to decide${since}`, tabPath('requests'))
    },
  },
  // With a granted erasure, until its record is deleted.
  'privacy requests': {
    topic: 'students',
    needs: 'privacy',
    async read(from, init) {
      const { requests } = await callApi(from.privacy.$get(undefined, init))
      const due = requests.filter(({ closedOn }) => closedOn === null).map(({ dueOn }) => dueOn)
      const [first = ''] = due.sort()
      return counted(due.length, 'privacy request', ` to answer by ${dateOf(first)}`, tabPath('privacy'))
    },
  },
  'limits of absences': {
    topic: 'attendance',
    needs: 'enrolments',
    async read(from, init) {
      const [{ items }, settings] = await Promise.all([
        callApi(from.attendance.standing.$get(undefined, init)),
        callApi(from.settings.$get(undefined, init)),
      ])
      const { levelNames } = withDefaults(settings)
      return items.flatMap(({ termId, component, level, ...counts }) => {
        const list = { pane: 'students', term: termId, component, level: String(level) }
        return limitStandings.flatMap((standing) =>
          counted(
            counts[standing],
            'student',
            ` of ${component}, ${levelName(levelNames, component, level)}, ${standing} the limit of absences`,
            tabPath('terms', { ...list, standing }),
          ),
        )
      })
    },
  },
  'possible duplicates': ofStudents(
    { duplicates: 'only' },
    (count) => `${countOf(count, 'possible duplicate')} to decide`,
  ),
  'student IDs': ofStudents(
    { missing: 'studentId' },
    (count) => `${countOf(count, 'student')} ${count === 1 ? 'has' : 'have'} no student ID`,
    'students.edit',
  ),
  'serial numbers': ofStudents(
    { missing: 'ownSerial', archive: 'all' },
    (count) =>
      `${countOf(count, 'student')} ${count === 1 ? 'shares' : 'share'} a serial number with another student`,
  ),
  'bounced e-mails': {
    topic: 'mail',
    needs: 'mail',
    async read(from, init) {
      const { openCount } = await callApi(from.mail.bounces.$get({ query: {} }, init))
      return counted(openCount, 'e-mail', ' bounced', tabPath('email', { pane: 'returned' }))
    },
  },
  'the outbox': {
    topic: 'mail',
    needs: 'mail',
    async read(from, init) {
      const { counts } = await callApi(from.mail.queue.$get(undefined, init))
      const outbox = (state: string) => tabPath('email', { pane: 'outbox', state })
      return [
        ...counted(counts.unknown, 'e-mail', ' to review', outbox('unknown')),
        ...counted(counts.failed, 'e-mail', ' failed', outbox('failed')),
      ]
    },
  },
  'draft announcements': ofAnnouncements('draft', 'draft announcement', ''),
  'scheduled announcements': ofAnnouncements('scheduled', 'announcement', ' scheduled'),
  'the academic years': {
    topic: 'settings',
    needs: 'settings',
    async read(from, init) {
      const { currentAcademicYear, academicYears, semesters } = withDefaults(
        await callApi(from.settings.$get(undefined, init)),
      )
      const years = { chosen: currentAcademicYear, offered: academicYears }
      const firstMonth = semesters[0]?.firstMonth ?? 1
      // A day more or less is nothing to a month.
      const today = calendarDateOf(new Date(), 'UTC')
      const { ended, last } = agingYears({ ...years, firstMonth }, today)
      const texts = [
        ended && `New enlistments are for ${ended}, which has ended: choose the current academic year`,
        last && `${last} is the last academic year on offer: add the next ones`,
      ]
      return texts.flatMap((text) => (text ? [{ text, to: `${settings}#academic-years` }] : []))
    },
  },
  'the backup': {
    topic: 'settings',
    needs: 'backup',
    async read(from, init) {
      const { last, nightly } = await callApi(from.backup.$get(undefined, init))
      const days = last && Math.floor((Date.now() - Date.parse(last.at)) / dayMs)
      const texts = [
        nightly.problem && `Nightly backup: ${nightly.problem}`,
        days === null && 'No backup yet',
        days !== null && days > oldBackupDays && `The last backup is ${days} days old`,
      ]
      return texts.flatMap((text) => (text ? [{ text, to: `${settings}#backup` }] : []))
    },
  },
}

function ofStudents(
  filters: Partial<StudentFilters>,
  textOf: (count: number) => string,
  needs: Permission = 'students.change',
): Figure {
  const query = { ...defaultStudentFilters, ...filters, page: '1', pageSize: '1' }
  return {
    topic: 'students',
    needs,
    async read(from, init) {
      const { total } = await callApi(from.students.$get({ query }, init))
      return total > 0 ? [{ text: textOf(total), to: tabPath('students', filters) }] : []
    },
  }
}

function ofAnnouncements(state: 'draft' | 'scheduled', noun: string, rest: string): Figure {
  const query = { all: 'true', state, limit: '50' } as const
  return {
    topic: 'announcements',
    needs: 'content',
    async read(from, init) {
      const { items } = await callApi(from.announcements.$get({ query }, init))
      return counted(items.length, noun, rest, tabPath('announcements', { state }))
    },
  }
}

function counted(count: number, noun: string, rest: string, to: string): Task[] {
  return count > 0 ? [{ text: countOf(count, noun) + rest, to }] : []
}

const figuresFor = (can: Account['can']) => Object.entries(figures).filter(([, { needs }]) => can(needs))

/** Each figure has a query of its own: a refusal leaves the others. */
export const attentionQueries = (from: ApiClient, { can }: Account) =>
  figuresFor(can).map(([name, { topic, read }]) =>
    queryOptions({
      // These figures are read at a different pace, so that their key is not of their topic.
      queryKey: [isSlow(topic) ? 'settings' : topic, 'attention', name],
      queryFn: ({ signal }) => read(from, { init: { signal } }),
    }),
  )

// Counting walks the records, and in a rush they change all the time.
const slowTopics = ['students', 'attendance'] as const
const isSlow = (topic: Topic | undefined) => slowTopics.some((slow) => slow === topic)

// The least pause between two reads, in ms.
const restMs = 15_000

/** What waits for the office, each a link to its list. Nothing is shown to an account that can do none of it. */
export function Attention() {
  const account = useAccount()
  const queries = useQueries({ queries: attentionQueries(api, account) })
  const ownFigures = figuresFor(account.can)
  const topics = ownFigures.map(([, { topic }]) => topic)
  const readSlow = async () =>
    void (await Promise.all(queries.map(({ refetch }, index) => isSlow(topics[index]) && refetch())))
  useLiveTopics(slowTopics, useThrottled(readSlow, restMs))
  const names = ownFigures.map(([name]) => name)
  const readings = queries.map((query, index) => ({
    name: names[index],
    failure: failureOf(query),
    tasks: query.data,
  }))
  if (ownFigures.length === 0) return null
  const failed = readings.filter(({ failure }) => failure !== null)
  const read = readings.filter(({ failure }) => failure === null)
  return (
    <Panel title="Needs attention">
      {failed.length > 0 && (
        <div className="p-4">
          <ErrorBanner
            message={`Failed to load ${
              read.length === 0 ? 'what needs attention' : failed.map(({ name }) => name).join(', ')
            }: ${failed[0]?.failure}`}
            onRetry={() => queries.forEach(({ refetch }) => void refetch())}
          />
        </div>
      )}
      {read.some(({ tasks }) => !tasks) ? (
        <div className="p-4">
          <Loading what="what needs attention" lines={4} className="h-8" />
        </div>
      ) : (
        <TaskList
          tasks={read.flatMap(({ tasks }) => tasks ?? [])}
          none={failed.length === 0 && 'Nothing needs attention.'}
        />
      )}
    </Panel>
  )
}
