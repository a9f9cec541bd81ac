import { useQuery } from '@tanstack/react-query'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Panel } from '#web/components/panel.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { type Task, TaskList } from '#web/components/task-list.tsx'
import { type Account, useAccount } from '#web/lib/account.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { termsQuery } from '#web/lib/terms.ts'
import { useThrottled } from '#web/lib/timers.ts'
import { type Cell, summaryQuery, termsAddress, unmarkedIn, unplacedIn } from './data.ts'

// The least pause in ms: counting who waits reads the students of a year, and in a rush they change all the time.
const studentsRestMs = 15_000

/** The dashboard's panel about what the open term waits for. Nothing is shown if no term is open, or to those who only read. */
export function ThisTerm() {
  const { can } = useAccount()
  const terms = useQuery({ ...termsQuery, enabled: can('enrolments') || can('marks') })
  const open = terms.data?.find(({ state }) => state === 'open')
  return open ? <TasksOfTerm term={open} /> : null
}

function TasksOfTerm({ term }: { term: Term }) {
  const summary = useQuery(summaryQuery(term))
  const today = useToday()
  const { can } = useAccount()
  const { cellName } = useLevelNames()
  const read = async () => void (await summary.refetch())
  useLiveTopics(['students'], useThrottled(read, studentsRestMs))
  return (
    <Panel
      title="This term"
      aside={<p className="text-xs text-muted">{termLabel(term)}</p>}
      query={summary}
      whatFailed="Failed to load the term"
      className="mt-4"
    >
      {summary.data ? (
        <TaskList tasks={tasksOf(term, summary.data, { today, cellName, can })} none="Nothing to do now." />
      ) : (
        <div className="p-4">
          <Loading what="the term" lines={2} className="h-8" />
        </div>
      )}
    </Panel>
  )
}

function tasksOf(
  { id, endsOn }: Term,
  cells: readonly Cell[],
  { today, cellName, can }: { today: CalendarDate; cellName: (cell: Cell) => string; can: Account['can'] },
): Task[] {
  return cells.flatMap((cell) => {
    const { component, level, official, placed, withoutSection } = cell
    const own = { term: id, component, level: level === 1 ? '1' : '2' } as const
    const unplaced = unplacedIn(cell)
    // Nobody is official until the first list.
    const unlisted = official > 0 ? placed + withoutSection - official : 0
    // Most students have no mark until the last day.
    const unmarked = endsOn < today ? unmarkedIn([cell]) : 0
    const tasks = [
      { count: unplaced, rest: 'without a section', needs: 'enrolments', to: termsAddress.to(own) },
      {
        count: unlisted,
        rest: 'not on the registrar’s list',
        needs: 'enrolments',
        to: termsAddress.to({ ...own, pane: 'lists' }),
      },
      {
        count: unmarked,
        rest: 'without a mark',
        needs: 'marks',
        to: termsAddress.to({ ...own, pane: 'marks' }),
      },
    ] as const
    return tasks
      .filter(({ count, needs }) => count > 0 && can(needs))
      .map(({ count, rest, to }) => ({ text: `${cellName(cell)}: ${countOf(count, 'student')} ${rest}`, to }))
  })
}
