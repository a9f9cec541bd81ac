import { CopyCheck, Users } from 'lucide-react'
import { Component, createRef, type ReactNode, useContext, useState } from 'react'
import type { StudentListItem, StudentPage } from '#shared/students/student-response.ts'
import type { DuplicatesFilter, StudentListQuery } from '#shared/students/students.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Pagination } from '#web/components/pagination.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { SelectionBar } from '#web/components/selection-bar.tsx'
import { Loading, TabFrame } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi } from '#web/lib/api.ts'
import { scrollIntoSight } from '#web/lib/focus.ts'
import { IsPhone, useMediaQuery } from '#web/lib/media-query.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { rangeOf } from '#web/lib/relative-time.ts'
import { type StudentList as StudentListData, useStudentList, useTask } from './data.ts'
import { filterParams, listKey, type OpenRecord, useStudentsNavigation } from './list-address.ts'
import {
  applyUpdate,
  initialList,
  type ListState,
  pendingText,
  registrations,
  showPending,
} from './live-arrivals.ts'
import {
  type ActionsOf,
  actionAttribute,
  focusRowAt,
  indexOfRow,
  listTitleId,
  nothingSelected,
  openedFrom,
  rowAttribute,
  type Selection,
  useQuestion,
  useRecordActions,
  useRowFocusBack,
} from './record-actions.tsx'
import { type ListLayout, useShownLayout } from './student-columns.tsx'
import { StudentFilterBar, useTypedSpan } from './student-filters.tsx'
import { listName } from './student-texts.ts'
import { StudentsCards, StudentsTable } from './students-table.tsx'
import { SavedViews } from './view-menu.tsx'

type StudentScreen = ReturnType<typeof useStudentScreen>

/** What both lists of students have. */
export function useStudentScreen(whole: ListLayout) {
  const layout = useShownLayout(whole)
  const list = useStudentList(layout)
  const navigation = useStudentsNavigation(layout)
  const { opened } = navigation.address
  const actions = useRecordActions()
  const deleting = useQuestion<StudentListItem>()
  const span = useTypedSpan(navigation)
  useRowFocusBack(openedFrom(opened, deleting.about))
  // A modal without data would hide the error of the list.
  const idOf = (as: OpenRecord['as']) =>
    opened?.as === as && (list.data || !list.isError) ? opened.id : null
  return { layout, list, navigation, actions, deleting, span, idOf }
}

interface StudentListProps {
  screen: StudentScreen
  actionsOf: ActionsOf
  selection: Selection | null
  renderSelected?: (selected: SelectedStudents) => ReactNode
  tools: ReactNode
}

interface StudentsFrameProps extends StudentListProps {
  /** The words before the sentence of a failure. */
  failure: string
  /** The archive says 'permanently delete' (product 11.3). */
  deleteVerb: 'delete' | 'permanently delete'
  onDeleted?: (id: string) => void
  notices?: ReactNode
  /** The modals of the screen. */
  children: ReactNode
}

export function StudentsFrame(frame: StudentsFrameProps) {
  const { failure, deleteVerb, onDeleted, notices, children, ...props } = frame
  const { layout, list, navigation, actions, deleting, span } = props.screen

  async function remove({ id }: StudentListItem) {
    if (await actions.remove(id)) onDeleted?.(id)
    deleting.close()
  }

  return (
    <TabFrame query={list} failure={failure}>
      <div className="flex flex-col gap-2 md:-mt-2">
        {/* Product 9.12. The affected row may be far below. */}
        {actions.failure && (
          <div key={actions.failure} ref={scrollIntoSight} className="scroll-my-20">
            <ErrorBanner message={actions.failure} onDismiss={() => actions.fail(null)} />
          </div>
        )}
        <StudentFilterBar layout={layout} navigation={navigation} span={span}>
          <ListTitle>{layout.title}</ListTitle>
        </StudentFilterBar>
        {notices}
        {span.isWhole ? (
          <StudentList {...props} />
        ) : (
          // No list, and no action on one, that these times don't mean.
          <EmptyState icon={Users} title="Please complete the exact times above." />
        )}
        {children}
        <QuestionModal
          title="Delete Student"
          thing={deleting.about}
          isBusy={actions.isBusy}
          onConfirm={(student) => void remove(student)}
          onClose={deleting.close}
        >
          {({ firstName, lastName }) => (
            <p className="wrap-anywhere">
              Are you sure you want to {deleteVerb} {firstName} {lastName}'s record? This action cannot be
              undone.
            </p>
          )}
        </QuestionModal>
      </div>
    </TabFrame>
  )
}

export interface SelectedStudents {
  ids: ReadonlySet<string>
  listed: readonly StudentListItem[]
}

function StudentList(props: StudentListProps) {
  const { data, isError } = props.screen.list
  if (data) return <LoadedList page={data} {...props} />
  if (isError) return <EmptyState icon={Users} title="The list could not be loaded." />
  return (
    <>
      <p role="status" className="flex min-h-9 items-center text-sm text-muted">
        Loading...
      </p>
      <Loading what="the students" lines={12} className="h-14" />
    </>
  )
}

function LoadedList({ page, screen, ...props }: StudentListProps & { page: StudentListData }) {
  const { layout, navigation, actions } = screen
  const { ownChanges } = actions
  const { can } = useAccount()
  const { query } = page
  const busy = screen.list.isPlaceholderData
  // A table in a narrower window shows less than half of its columns.
  const isNarrow = useMediaQuery('(width < 64rem)', useContext(IsPhone))
  // Archived students can't be archived again.
  const selection = query.archive === 'archived' ? null : props.selection
  const isSelecting = selection !== null && selection.ids.size > 0
  const mayMove = query.page === 1 && !isSelecting && navigation.address.opened === null
  const key = listKey(query, layout)
  const marksNew = layout.receivesRegistrations
  const [list, setList] = useListState({ key, page, mayMove, ownChanges, marksNew })
  const { shownPage, fresh } = list
  const Rows = isNarrow ? StudentsCards : StudentsTable
  const takingAll = useTask('Failed to select all students')
  // The checkbox changes at once, while the ids on the other pages are being loaded.
  const selected = takingAll.isBusy ? 'all' : selection ? extentOf(selection, shownPage) : 'none'

  function selectAll() {
    if (selected === 'all') return selection?.clear()
    takingAll.run(async () => {
      const { ids } = await callApi(api.students.ids.$get({ query: filterParams(query) }))
      selection?.selectAll(ids)
      // All of them are archived already.
      if (ids.length === 0) showToast('warning', nothingSelected)
    })
  }

  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 text-sm print:hidden">
        <p className="text-muted">
          {countOf(shownPage.total, 'student')}
          {shownPage.periodDates && ` · registered ${rangeOf(shownPage.periodDates)}`}
        </p>
        {layout.filters.includes('duplicates') && shownPage.anyRegistered && can('students.change') && (
          <DuplicatesToggle
            filter={navigation.address.query.duplicates}
            onShow={(duplicates) => navigation.show({ duplicates })}
          />
        )}
        <SavedViews layout={layout} navigation={navigation} />
        <PendingNotice message={pendingText(list)} onShow={() => setList(showPending(list))} />
        <div className="ml-auto flex flex-wrap gap-2">{props.tools}</div>
      </div>
      {selection && (
        <SelectionBar size={selection.ids.size} onClear={selection.clear}>
          {props.renderSelected?.({ ids: selection.ids, listed: shownPage.items })}
        </SelectionBar>
      )}
      <ScrollAnchor>
        {shownPage.items.length === 0 ? (
          <NothingFound page={shownPage} query={query} layout={layout} navigation={navigation} />
        ) : (
          <div className={busy ? 'opacity-60 transition-opacity delay-150' : ''}>
            <Rows
              students={shownPage.items}
              fresh={fresh}
              sort={navigation.address.query.sort}
              onSort={(sort) => navigation.show({ sort })}
              selection={selection}
              selected={selected}
              onSelectAll={selectAll}
              actionsOf={props.actionsOf}
              layout={layout}
              query={query}
              busy={busy}
            />
          </div>
        )}
      </ScrollAnchor>
      {shownPage.total > 0 && (
        <div className="print:hidden">
          <Pagination
            page={query.page}
            pageSize={query.pageSize}
            total={shownPage.total}
            noun="student"
            to={navigation.pathOf}
          />
        </div>
      )}
      <Announcement arrived={list.arrived} />
    </>
  )
}

function useListState(reading: Parameters<typeof applyUpdate>[1]) {
  const [list, setList] = useState(() => initialList(reading))
  const received = applyUpdate(list, reading)
  if (received !== list) setList(received)
  return [received, setList] as const
}

function extentOf({ ids, isComplete }: Selection, { items, total }: StudentPage): 'all' | 'some' | 'none' {
  if (ids.size === 0) return 'none'
  const isOnOnePage = items.length === total
  const isEach = items.every(({ id, archived }) => archived || ids.has(id))
  return (isComplete || isOnOnePage) && isEach ? 'all' : 'some'
}

function PendingNotice({ message, onShow }: { message: string | null; onShow: () => void }) {
  return (
    <p role="status">
      {message && (
        <Button variant="ghost" size="sm" className="text-primary" onClick={onShow}>
          {message} · <span className="underline">Show</span>
        </Button>
      )}
    </p>
  )
}

// The announcement has the names, because screen readers skip one that equals the last one.
function Announcement({ arrived }: Pick<ListState, 'arrived'>) {
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
  layout,
  navigation,
}: Pick<StudentScreen, 'layout' | 'navigation'> & { page: StudentPage; query: StudentListQuery }) {
  // Product 9.4: the first sentence when a search or component filter is active.
  const isFiltered = query.search !== '' || query.component !== 'all'
  const isForDuplicates = query.duplicates === 'only'
  const isNarrowed = layout.filters.some(
    (name) => name !== 'archive' && query[name] !== layout.defaults[name],
  )
  // All the list's students may be hidden by its archive filter too, which is always set.
  const hidesSome = layout.filters.includes('archive') ? page.anyRegistered : isNarrowed || page.total > 0
  const { archive: _archive, sort: _sort, ...cleared } = layout.defaults
  const noMatch = 'No matching students found.'
  const emptyTitle = isForDuplicates
    ? 'No possible duplicates found.'
    : hidesSome
      ? noMatch
      : layout.emptyTitle
  return (
    <EmptyState
      icon={Users}
      title={isFiltered ? noMatch : emptyTitle}
      action={
        isNarrowed ? (
          <SmallButton onClick={() => navigation.show(cleared)}>Clear filters</SmallButton>
        ) : (
          !hidesSome && layout.emptyAction
        )
      }
    />
  )
}

interface DuplicatesToggleProps {
  filter: DuplicatesFilter
  onShow: (which: DuplicatesFilter) => void
}

function DuplicatesToggle({ filter, onShow }: DuplicatesToggleProps) {
  const isOn = filter === 'only'
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-pressed={isOn}
      icon={CopyCheck}
      className={isOn ? 'bg-warning-soft text-warning' : 'text-muted'}
      onClick={() => onShow(isOn ? 'all' : 'only')}
    >
      Possible duplicates
    </Button>
  )
}

interface Anchor {
  id: string
  top: number
}

interface FocusedRow {
  id: string
  index: number
  action: string | null
}

interface Snapshot {
  anchor: Anchor | null
  focused: FocusedRow | null
}

/**
 * Keeps the scroll position while rows are added and removed above; at the top of the page without focus in a
 * row, new rows simply appear. When the focused row is removed, the next row gets the focus.
 * A class, because only `getSnapshotBeforeUpdate` runs right before the document changes.
 */
class ScrollAnchor extends Component<{ children: ReactNode }> {
  private readonly frame = createRef<HTMLDivElement>()

  override getSnapshotBeforeUpdate(): Snapshot {
    const frame = this.frame.current
    if (!frame) return { anchor: null, focused: null }
    const focused = focusedRow()
    const isReading = window.scrollY > 0 || frame.matches(':hover') || frame.contains(document.activeElement)
    return { anchor: isReading ? firstInView(frame) : null, focused }
  }

  override componentDidUpdate(_props: unknown, _state: unknown, { anchor, focused }: Snapshot) {
    if (focused && indexOfRow(focused.id) === -1) focusRowAt(focused.index, focused.action)
    if (!anchor) return
    const row = this.frame.current?.querySelector(`[${rowAttribute}="${CSS.escape(anchor.id)}"]`)
    if (!row) return
    const moved = row.getBoundingClientRect().top - anchor.top
    if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
  }

  override render() {
    // The browser's own anchoring, which not all of them have, would move the page a second time.
    return (
      <div ref={this.frame} className="[overflow-anchor:none]">
        {this.props.children}
      </div>
    )
  }
}

function focusedRow(): FocusedRow | null {
  const focused = document.activeElement
  const id = focused?.closest(`[${rowAttribute}]`)?.getAttribute(rowAttribute)
  return focused && id ? { id, index: indexOfRow(id), action: focused.getAttribute(actionAttribute) } : null
}

function firstInView(frame: HTMLElement): Anchor | null {
  for (const row of frame.querySelectorAll(`[${rowAttribute}]`)) {
    const { top, bottom } = row.getBoundingClientRect()
    const id = row.getAttribute(rowAttribute)
    if (bottom > 0 && top < window.innerHeight && id) return { id, top }
  }
  return null
}

function ListTitle({ children }: { children: string }) {
  return (
    <h1
      id={listTitleId}
      tabIndex={-1}
      className="self-center text-xl font-bold tracking-tight outline-hidden max-md:basis-full max-md:text-2xl"
    >
      {children}
    </h1>
  )
}
