import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { StudentListItem } from '#shared/student.ts'
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
import { useNarrowScreen } from '#web/lib/narrow-screen.ts'
import { DuplicatesToggle } from './duplicates-toggle.tsx'
import { KeepInView } from './keep-in-view.tsx'
import type { ListLayout } from './list-layouts.tsx'
import type { ListPlace } from './list-place.ts'

import type { ActionsOf } from './row-actions.tsx'
import type { Selection } from './selection.ts'
import { nothingSelected, SelectionBar } from './selection-bar.tsx'
import { firstShown, heldBack, receive, registrations, type ShownList, showNewest } from './shown-list.ts'
import { filterParams, listKey } from './student-query.ts'
import { listName } from './student-texts.ts'
import { StudentsCards } from './students-cards.tsx'
import type { StudentsNavigation } from './students-navigation.ts'
import { StudentsTable } from './students-table.tsx'

export interface StudentListProps {
  /** What was read, and for which filters. */
  page: StudentPage
  query: StudentListQuery
  /** Whether another list is being read. */
  busy: boolean
  place: ListPlace
  layout: ListLayout
  navigation: StudentsNavigation
  actionsOf: ActionsOf
  /** What stands beside a name. */
  renderMark?: (student: StudentListItem) => ReactNode
  /** Counts the changes made here, which show at once. */
  ownChanges: number
  /** Null where nobody can be selected. */
  selection: Selection | null
  /** What can be done with the selected students. */
  renderSelected?: (selected: SelectedStudents) => ReactNode
  texts: InstantTexts
}

/** What a person selected, and the rows that are on the screen. */
export interface SelectedStudents {
  ids: ReadonlySet<string>
  shown: readonly StudentListItem[]
}

/** The rows, how many there are, what is selected, and the way to the other pages. */
export function StudentList(props: StudentListProps) {
  const { page, query, busy, place, layout, navigation, actionsOf, ownChanges, texts } = props
  const isNarrow = useNarrowScreen()
  // Archived students can't be archived again.
  const selection = query.archive === 'archived' ? null : props.selection
  const isSelecting = selection !== null && selection.ids.size > 0
  const mayMove = query.page === 1 && !isSelecting && navigation.address.opened === null
  const key = listKey(query, place)
  const marksNew = place.receivesRegistrations
  const [list, setList] = useShownList({ key, page, mayMove, ownChanges, marksNew })
  const { shown, fresh } = list
  const Rows = isNarrow ? StudentsCards : StudentsTable
  const [isTakingAll, setTakingAll] = useState(false)
  // The tick shows at once, while the students on the other pages are still being asked for.
  const selected = isTakingAll ? 'all' : selection ? extentOf(selection, shown) : 'none'

  async function selectAll() {
    if (!selection) return
    if (selected === 'all') return selection.clear()
    setTakingAll(true)
    try {
      const { ids } = await callApi(api.students.ids.$get({ query: filterParams(query) }))
      selection.selectAll(ids)
      // Every one of them is archived already.
      if (ids.length === 0) showToast({ type: 'warning', message: nothingSelected })
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
        {place.filters.includes('duplicates') && (
          <DuplicatesToggle
            shown={navigation.address.query.duplicates}
            onShow={(duplicates) => navigation.show({ duplicates })}
          />
        )}
        {selection && (
          <SelectionBar selection={selection}>
            {props.renderSelected?.({ ids: selection.ids, shown: shown.items })}
          </SelectionBar>
        )}
        <HeldBack message={heldBack(list)} onShow={() => setList(showNewest(list))} />
      </div>
      <KeepInView>
        {shown.items.length === 0 ? (
          <NothingFound page={shown} query={query} place={place} layout={layout} navigation={navigation} />
        ) : (
          <div className={busy ? 'opacity-60 transition-opacity delay-150' : ''}>
            <Rows
              students={shown.items}
              fresh={fresh}
              sort={navigation.address.query.sort}
              onSort={(sort) => navigation.show({ sort })}
              selection={selection}
              selected={selected}
              onSelectAll={() => void selectAll()}
              actionsOf={actionsOf}
              renderMark={props.renderMark}
              layout={layout}
              busy={busy}
              texts={texts}
            />
          </div>
        )}
      </KeepInView>
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
  const [list, setList] = useState(() => firstShown(reading))
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

function NothingFound({
  page,
  query,
  place,
  layout,
  navigation,
}: Pick<StudentListProps, 'page' | 'query' | 'place' | 'layout' | 'navigation'>) {
  // Spec §2: the first sentence when a search or component filter is active.
  const isFiltered = query.search !== '' || query.component !== 'all'
  const isForDuplicates = query.duplicates === 'only'
  const isNarrowed =
    isFiltered || isForDuplicates || query.academicYear !== 'all' || query.period !== 'all-time'
  // All the list's students may be hidden by its archive filter too, which is always set.
  const hidesSome = place.filters.includes('archive') ? page.anyRegistered : isNarrowed || page.total > 0
  const { search, component, academicYear, period, duplicates } = place.defaults
  const noMatch = 'No matching students found.'
  const emptyTitle = isForDuplicates
    ? 'No possible duplicates found.'
    : hidesSome
      ? noMatch
      : layout.emptyTitle
  return (
    <EmptyState
      icon={<Users className="size-8" />}
      title={isFiltered ? noMatch : emptyTitle}
      action={
        isNarrowed && (
          <Button
            variant="outline"
            size="sm"
            onClick={() => navigation.show({ search, component, academicYear, period, duplicates })}
          >
            Clear filters
          </Button>
        )
      }
    />
  )
}
