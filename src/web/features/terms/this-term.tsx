import { useQuery } from '@tanstack/react-query'
import { termLabel } from '#shared/terms/terms.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Panel } from '#web/components/panel.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { type Task, TaskList } from '#web/components/task-list.tsx'
import { useLiveTopics } from '#web/lib/live.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useThrottled } from '#web/lib/timers.ts'
import { type Cell, cellName, readSummary, readTerms, termsAddress, unplacedIn } from './data.ts'

// In ms: counting who waits reads the students of a year, and in a rush they change all the time.
const studentsRestMs = 15_000

/** On the dashboard: what the open term waits for. Nothing where none is open. */
export function ThisTerm() {
  const terms = useQuery({ queryKey: ['terms', 'list'], queryFn: ({ signal }) => readTerms(signal) })
  const open = terms.data?.find(({ state }) => state === 'open')
  return open ? <TasksOfTerm term={open} /> : null
}

function TasksOfTerm({ term }: { term: Term }) {
  const summary = useQuery({
    queryKey: ['terms', 'summary', term.id],
    queryFn: ({ signal }) => readSummary(term.id, signal),
  })
  const read = async () => void (await summary.refetch())
  useLiveTopics(['students'], useThrottled(read, studentsRestMs))
  return (
    <Panel
      title="This term"
      aside={<p className="text-xs text-muted">{termLabel(term)}</p>}
      query={summary}
      failed="Failed to load the term"
      className="mt-4"
    >
      {summary.data ? (
        <TaskList tasks={tasksOf(term, summary.data)} none="Every student of this term has a section." />
      ) : (
        <div className="p-4">
          <Loading what="the term" lines={2} className="h-8" />
        </div>
      )}
    </Panel>
  )
}

function tasksOf({ id }: Term, cells: readonly Cell[]): Task[] {
  return cells.flatMap((cell) => {
    const { component, level } = cell
    const unplaced = unplacedIn(cell)
    if (unplaced === 0) return []
    const to = termsAddress.to({ term: id, component, level: level === 1 ? '1' : '2' })
    return [{ text: `${cellName(cell)}: ${countOf(unplaced, 'student')} without a section`, to }]
  })
}
