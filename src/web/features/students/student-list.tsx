import { Users } from 'lucide-react'
import { useState } from 'react'
import type { StudentListQuery, StudentPage } from '#shared/students.ts'
import { Button } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { rangeOf } from '#web/lib/calendar-texts.ts'
import { countOf } from '#web/lib/count-text.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { KeepInView } from './keep-in-view.tsx'
import { useNarrowScreen } from './narrow-screen.ts'
import { type Selection, useSelection } from './selection.ts'
import { firstShown, heldBack, receive, registrations, type ShownList, showNewest } from './shown-list.ts'
import { filterParams, listKey, setKey } from './student-query.ts'
import { listName } from './student-texts.ts'
import { StudentsCards } from './students-cards.tsx'
import type { StudentsNavigation } from './students-navigation.ts'
import { StudentsTable } from './students-table.tsx'

interface StudentListProps {
  /** What was read, and for which filters. */
  page: StudentPage
  query: StudentListQuery
  /** Whether another list is being read. */
  busy: boolean
  navigation: StudentsNavigation
  texts: InstantTexts
}

/** The rows, how many there are, what is selected, and the way to the other pages. */
export function StudentList({ page, query, busy, navigation, texts }: StudentListProps) {
  const isNarrow = useNarrowScreen()
  const selection = useSelection(setKey(query))
  const mayMove = query.page === 1 && selection.ids.size === 0 && navigation.address.student === null
  const [list, setList] = useShownList({ key: listKey(query), page, mayMove })
  const { shown, fresh } = list
  const Rows = isNarrow ? StudentsCards : StudentsTable
  const canSelect = query.archive !== 'archived'
  const [isTakingAll, setTakingAll] = useState(false)
  // The tick shows at once, while the students on the other pages are still being asked for.
  const selected = isTakingAll ? 'all' : extentOf(selection, shown)

  async function selectAll() {
    if (selected === 'all') return selection.clear()
    setTakingAll(true)
    try {
      const { ids } = await callApi(api.students.ids.$get({ query: filterParams(query) }))
      selection.selectAll(ids)
    } catch (error) {
      showToast({ type: 'error', message: `Failed to select all students: ${sentenceOf(error)}` })
    } finally {
      setTakingAll(false)
    }
  }

  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 text-sm print:hidden">
        <p className="text-muted">
          {countOf(shown.total, 'student')}
          {shown.periodDates && ` · registered ${rangeOf(shown.periodDates)}`}
        </p>
        <SelectionLine selection={selection} />
        <HeldBack message={heldBack(list)} onShow={() => setList(showNewest(list))} />
      </div>
      {shown.items.length === 0 ? (
        <NothingFound query={query} navigation={navigation} />
      ) : (
        <div className={busy ? 'opacity-60 transition-opacity delay-150' : ''}>
          <KeepInView>
            <Rows
              students={shown.items}
              fresh={fresh}
              sort={navigation.address.query.sort}
              onSort={(sort) => navigation.show({ sort })}
              selection={canSelect ? selection : null}
              selected={selected}
              onSelectAll={() => void selectAll()}
              onView={navigation.open}
              busy={busy}
              texts={texts}
            />
          </KeepInView>
        </div>
      )}
      {shown.total > 0 && (
        <div className="print:hidden">
          <Pagination
            page={query.page}
            pageSize={query.pageSize}
            total={shown.total}
            noun="students"
            to={navigation.pathOf}
          />
        </div>
      )}
      <Announcement arrived={list.arrived} />
    </>
  )
}

/** What is on the screen: what was read, but for rows that are held back. */
function useShownList(reading: Parameters<typeof receive>[1]) {
  const [list, setList] = useState(() => firstShown(reading.key, reading.page))
  const received = receive(list, reading)
  if (received !== list) setList(received)
  return [received, setList] as const
}

/** How much of the list is selected, on all its pages. */
function extentOf({ ids, isComplete }: Selection, { items, total }: StudentPage): 'all' | 'some' | 'none' {
  if (ids.size === 0) return 'none'
  const isOnOnePage = items.length === total
  const isEach = items.every(({ id, archived }) => archived || ids.has(id))
  return isComplete || (isOnOnePage && isEach) ? 'all' : 'some'
}

function SelectionLine({ selection }: { selection: Selection }) {
  const { size } = selection.ids
  if (size === 0) return null
  return (
    <p className="flex items-center gap-1">
      <span role="status" className="font-semibold">
        {size.toLocaleString('en-US')} selected
      </span>
      <Button variant="ghost" size="sm" className="text-primary underline" onClick={selection.clear}>
        Clear selection
      </Button>
    </p>
  )
}

function HeldBack({ message, onShow }: { message: string | null; onShow: () => void }) {
  return (
    <p role="status" className="ml-auto">
      {message && (
        <Button variant="ghost" size="sm" className="text-primary" onClick={onShow}>
          {message} · <span className="underline">Show</span>
        </Button>
      )}
    </p>
  )
}

/** Tells screen readers who arrived by itself. With the names, so that no two announcements are the same. */
function Announcement({ arrived }: Pick<ShownList, 'arrived'>) {
  const sentence = arrived.length > 0 && registrations(arrived.length)
  return (
    <p role="status" className="sr-only">
      {sentence && `${sentence}: ${arrived.map(listName).join('; ')}`}
    </p>
  )
}

function NothingFound({ query, navigation }: { query: StudentListQuery; navigation: StudentsNavigation }) {
  // Spec §2: the first sentence when a search or component filter is active.
  const isFiltered = query.search !== '' || query.component !== 'all'
  const isNarrowed = isFiltered || query.academicYear !== 'all' || query.period !== 'all-time'
  return (
    <EmptyState
      icon={<Users className="size-8" />}
      title={isFiltered ? 'No matching students found.' : 'No students registered yet.'}
      action={
        isNarrowed && (
          <Button
            variant="outline"
            size="sm"
            onClick={() =>
              navigation.show({ search: '', component: 'all', academicYear: 'all', period: 'all-time' })
            }
          >
            Clear filters
          </Button>
        )
      }
    />
  )
}
