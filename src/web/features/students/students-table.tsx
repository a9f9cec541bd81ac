import { clsx } from 'clsx'
import { Fragment, type ReactNode } from 'react'
import type { StudentListItem } from '#shared/students/student-response.ts'
import {
  type StudentFilters,
  type StudentSort,
  type StudentSortKey,
  sortParts,
} from '#shared/students/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { Checkbox } from '#web/components/checkbox.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { ColumnEdge, useColumnStyles, useWidthKeys } from './column-widths.tsx'
import { useHiddenColumns, useListView } from './list-view.ts'
import {
  ActionButtons,
  ActionMenu,
  type ActionsOf,
  DuplicateMark,
  rowAttribute,
  type Selection,
  wiringOf,
} from './record-actions.tsx'
import { RestrictionBadge, RestrictionMark } from './record-privacy.tsx'
import type { ListLayout } from './student-columns.tsx'
import { listName } from './student-texts.ts'

interface StudentRowsProps {
  students: readonly StudentListItem[]
  fresh: ReadonlySet<string>
  sort: StudentSort
  onSort: (sort: StudentSort) => void
  selection: Selection | null
  selected: 'all' | 'some' | 'none'
  onSelectAll: () => void
  actionsOf: ActionsOf
  layout: ListLayout
  query: StudentFilters
  busy: boolean
}

// From 1,280 px on the table fits, and its head stays below the top bar. A narrower one scrolls inside its frame: the name
// stays in sight on the left, the actions on the right.
const tableClass =
  // Where there are cards, until scripts run: the server may not know.
  'not-print:max-lg:hidden xl:overflow-visible xl:[&>table]:table-fixed xl:[&>table]:text-[0.8125rem] print:overflow-visible print:border-0 print:shadow-none print:[&_table_*]:text-[9px]'
const stickyLeft = 'sticky! left-0 z-1 bg-inherit xl:static! print:static!'
const stickyRight =
  'sticky! right-0 z-1 bg-inherit px-1! max-xl:shadow-[inset_1px_0_0_var(--line)] xl:static! print:hidden'
const checkboxClass = 'w-[40px] py-0! pr-0! pl-0.5! print:hidden'
const headClass = clsx(
  'px-1.5! py-1! align-middle! text-[0.6875rem]! leading-4 whitespace-normal! wrap-anywhere [&_button]:text-left xl:sticky! xl:top-14 xl:z-2',
  // The icon follows the last word, for which a narrow column has room.
  '[&_button]:inline-block! [&_button]:content-center [&_svg]:inline',
  // The sort icon of an unsorted column shows on hover only, over the padding: twelve icons in a
  // row would be as wide as a column.
  '[&[aria-sort=none]_svg]:absolute [&[aria-sort=none]_svg]:right-0',
  '[&[aria-sort=none]:not(:hover,:focus-within)_svg]:opacity-0',
)

export function StudentsTable(props: StudentRowsProps) {
  const { students, selection, selected, onSelectAll, layout, query, busy } = props
  const hidden = useHiddenColumns(query)
  const isChoice = layout.filters.includes('archive')
  const columns = layout.columns.filter(
    ({ sort }, index) => index === 0 || !isChoice || !hidden.includes(sort),
  )
  return (
    <DataTable caption={layout.title} busy={busy} className={tableClass}>
      <StudentsHead {...props} columns={columns}>
        {selection && <AllCheckbox selected={selected} onSelectAll={onSelectAll} busy={busy} />}
      </StudentsHead>
      <tbody>
        {students.map((student) => (
          <StudentRow key={student.id} student={student} {...props} columns={columns} />
        ))}
      </tbody>
    </DataTable>
  )
}

type Columns = ListLayout['columns'][number][]

function StudentsHead({
  layout,
  columns,
  sort,
  onSort,
  children,
}: Pick<StudentRowsProps, 'layout' | 'sort' | 'onSort'> & { columns: Columns; children: ReactNode }) {
  const styles = useColumnStyles(columns.map(({ sort }) => sort))
  const moveEdge = useWidthKeys()
  return (
    <thead>
      <tr className="bg-soft">
        {layout.hasTicks && (
          <HeadCell className={clsx(headClass, checkboxClass)}>
            {children || <span className="sr-only">Selection</span>}
          </HeadCell>
        )}
        {columns.map(({ label, sort: key, className }, index) => (
          <HeadCell
            key={key}
            data-column={key}
            className={clsx(headClass, styles ? 'xl:w-(--column)' : className, index === 0 && stickyLeft)}
            style={styles?.[index]}
            sort={directionOf(sort, key)}
            onSort={() => onSort(nextSort(sort, key))}
            onKeyDown={moveEdge}
            edge={columns[index + 1] && <ColumnEdge />}
          >
            {label}
          </HeadCell>
        ))}
        <HeadCell className={clsx(headClass, stickyRight, 'w-[48px]')}>
          <span className="sr-only">Actions</span>
        </HeadCell>
      </tr>
    </thead>
  )
}

function StudentRow({
  student,
  fresh,
  selection,
  actionsOf,
  layout,
  columns,
  busy,
}: StudentRowsProps & { student: StudentListItem; columns: Columns }) {
  const { isRoomy } = useListView()
  const isFresh = fresh.has(student.id)
  const name = listName(student)
  const cellClass = clsx('px-1.5!', isRoomy ? 'h-12 py-1.5!' : 'h-9 py-0!')
  const actions = actionsOf(student)
  const open = actions.find(({ name }) => name === 'view')
  return (
    // Keyboard users open the record with the name's button.
    <tr
      {...{ [rowAttribute]: student.id }}
      onClick={({ target, currentTarget }) => {
        const isControl =
          target instanceof Element && target.closest('button, a, label, input, [role=menuitem]')
        const isInRow = target instanceof Node && currentTarget.contains(target)
        if (isInRow && !isControl && !window.getSelection()?.toString()) open?.onSelect()
      }}
      className={clsx(isFresh ? 'bg-primary-soft' : 'bg-card hover:bg-soft', open && 'cursor-pointer')}
    >
      {layout.hasTicks && (
        <Cell className={checkboxClass}>
          <RowCheckbox student={student} selection={selection} busy={busy} />
        </Cell>
      )}
      {columns.map(({ sort: key, render, className }, index) =>
        index === 0 ? (
          <th
            key={key}
            scope="row"
            className={clsx(
              'max-xl:max-w-64 max-xl:min-w-56 border-b font-semibold in-[tr:last-child]:border-b-0',
              cellClass,
              className,
              stickyLeft,
            )}
          >
            <span className="flex items-center gap-1.5">
              {open ? (
                <button
                  {...wiringOf(student, open)}
                  type="button"
                  aria-label={`View ${name}`}
                  className="min-w-0 text-left hover:underline"
                >
                  {render(student)}
                </button>
              ) : (
                render(student)
              )}
              {isFresh && <Badge tone="info">New</Badge>}
              <RestrictionMark restriction={student.restriction} />
              <DuplicateMark student={student} layout={layout} />
            </span>
          </th>
        ) : (
          <Cell key={key} className={clsx(cellClass, className)}>
            {render(student)}
          </Cell>
        ),
      )}
      <Cell className={clsx(cellClass, stickyRight)}>
        <ActionMenu student={student} actions={actions} />
      </Cell>
    </tr>
  )
}

export function directionOf(sort: StudentSort, column: StudentSortKey) {
  const { key, descending } = sortParts(sort)
  if (key !== column) return 'none'
  return descending ? 'descending' : 'ascending'
}

const dates: readonly StudentSortKey[] = ['registrationDate', 'archivedDate']

/** A press on the current column reverses it. Dates begin with the newest. */
export function nextSort(sort: StudentSort, column: StudentSortKey): StudentSort {
  if (dates.includes(column)) return sort === `-${column}` ? column : `-${column}`
  return sort === column ? `-${column}` : column
}

function AllCheckbox({
  selected,
  onSelectAll,
  busy,
}: Pick<StudentRowsProps, 'selected' | 'onSelectAll' | 'busy'>) {
  return (
    <Checkbox
      label="Select all students on every page"
      checked={selected === 'all'}
      mixed={selected === 'some'}
      // The rows are still those of the earlier filters.
      disabled={busy}
      onChange={onSelectAll}
    />
  )
}

function RowCheckbox({
  student,
  selection,
  busy,
}: Pick<StudentRowsProps, 'selection' | 'busy'> & { student: StudentListItem }) {
  if (!selection || student.archived) return null
  return (
    <Checkbox
      label={`Select ${listName(student)}`}
      checked={selection.ids.has(student.id)}
      disabled={busy}
      onChange={() => selection.toggle(student.id)}
    />
  )
}

export function StudentsCards(props: StudentRowsProps) {
  const { students, selection, selected, onSelectAll, layout, busy } = props
  return (
    <>
      {selection && (
        <p className="-mt-2 mb-1 flex items-center pl-1 text-sm font-semibold print:hidden">
          <AllCheckbox selected={selected} onSelectAll={onSelectAll} busy={busy} />
          <span aria-hidden="true">Select all</span>
        </p>
      )}
      <ul
        aria-label={layout.title}
        aria-busy={busy}
        className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-2"
      >
        {students.map((student) => (
          <StudentCard key={student.id} student={student} {...props} />
        ))}
      </ul>
    </>
  )
}

function StudentCard({
  student,
  fresh,
  selection,
  actionsOf,
  layout,
  busy,
}: StudentRowsProps & { student: StudentListItem }) {
  const isFresh = fresh.has(student.id)
  const name = listName(student)
  return (
    <li
      {...{ [rowAttribute]: student.id }}
      className={clsx(
        '@container rounded-box border p-3 shadow-card',
        isFresh ? 'bg-primary-soft' : 'bg-card',
      )}
    >
      <div className="flex items-start gap-1">
        {selection && !student.archived && (
          <div className="-mt-2 -ml-2">
            <RowCheckbox student={student} selection={selection} busy={busy} />
          </div>
        )}
        <div className="min-w-0 flex-1">
          <p title={name} className="line-clamp-3 font-semibold wrap-anywhere">
            {name}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-1.5">
            {isFresh && <Badge tone="info">New</Badge>}
            {layout.columns.map(
              ({ sort, isBadge, render }) => isBadge && <Fragment key={sort}>{render(student)}</Fragment>,
            )}
            <RestrictionBadge restriction={student.restriction} />
            <DuplicateMark student={student} layout={layout} />
          </p>
        </div>
      </div>
      <dl className="mt-3 mb-3 grid gap-x-3 gap-y-1 text-sm @min-[14rem]:grid-cols-[auto_minmax(0,1fr)]">
        {layout.columns.map(
          ({ label, lineLabel = label, renderLine }) =>
            renderLine && (
              <Fragment key={label}>
                <dt className="text-muted">{lineLabel}</dt>
                <dd className="wrap-anywhere">{renderLine(student)}</dd>
              </Fragment>
            ),
        )}
      </dl>
      <ActionButtons student={student} actions={actionsOf(student)} />
    </li>
  )
}
