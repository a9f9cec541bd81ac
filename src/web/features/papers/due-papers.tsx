import { useQuery } from '@tanstack/react-query'
import type { Paper } from '#shared/papers/papers-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { Panel } from '#web/components/panel.tsx'
import { TaskList } from '#web/components/task-list.tsx'
import { useAccount } from '#web/lib/account.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { isUnsent, papersAddress, papersQuery } from './data.ts'

// How long before the due day a paper is shown, in ms.
const soon = 14 * 24 * 3_600_000

/** The dashboard's papers that are overdue or due soon. Nothing is shown if there are none. */
export function DuePapers() {
  const { can } = useAccount()
  const query = useQuery({ ...papersQuery, enabled: can('papers') })
  const timeZone = useProgramTimeZone()
  const now = new Date()
  const today = calendarDateOf(now, timeZone)
  const last = calendarDateOf(new Date(now.getTime() + soon), timeZone)
  const isCorrected = ({ id }: Paper) => query.data?.some(({ follows }) => follows?.id === id)
  const isOpen = (paper: Paper) => isUnsent(paper) || (paper.state === 'returned' && !isCorrected(paper))
  const due = query.data?.filter((paper) => isOpen(paper) && paper.dueOn !== null && paper.dueOn <= last)
  if (!due || due.length === 0) return null
  return (
    <Panel title="Papers due" query={query} whatFailed="Failed to load the papers" className="mt-4">
      <TaskList
        tasks={due.map((paper) => ({
          text: `${paper.title}: ${(paper.dueOn ?? '') < today ? 'overdue since' : 'due'} ${dateOf(paper.dueOn ?? '')}`,
          to: papersAddress.to({ paper: paper.id }),
        }))}
        none="Nothing to do now."
      />
    </Panel>
  )
}
