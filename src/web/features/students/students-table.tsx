import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentSort } from '#shared/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { Checkbox } from './checkbox.tsx'
import type { ListLayout } from './list-layouts.tsx'
import { directionOf, nextSort } from './next-sort.ts'
import { ActionButtons, ActionIcons, type ActionsOf } from './row-actions.tsx'
import { rowAttribute } from './row-attributes.ts'
import type { Selection } from './selection.ts'
import { listName } from './student-texts.ts'

/** How the rows of the list behave, in the table and as cards. */
export interface StudentRowsProps {
  students: readonly StudentListItem[]
  fresh: ReadonlySet<string>
  sort: StudentSort
  onSort: (sort: StudentSort) => void
  /** Null where nothing can be selected: in the view of archived students. */
  selection: Selection | null
  /** How far the whole list, on every page, is selected. */
  selected: 'all' | 'some' | 'none'
  onSelectAll: () => void
  actionsOf: ActionsOf
  /** What stands beside a name. */
  renderMark?: ((student: StudentListItem) => ReactNode) | undefined
  layout: ListLayout
  busy: boolean
  texts: InstantTexts
}

// Wide tables scroll inside their frame; the name stays in sight on the left, the action on the right.
const stickyLeft = 'sticky! left-0 z-1 bg-inherit print:static!'
const tickLook = 'w-10 py-0 pr-0! pl-0.5! print:hidden'
const stickyRight = 'sticky! right-0 z-1 bg-inherit max-xl:shadow-[inset_1px_0_0_var(--line)] print:hidden'
/** Twelve columns side by side: less padding than a table of few columns has. */
const denseCell = 'px-1.5! xl:max-[90rem]:text-[0.8125rem]'
const headLook = 'align-middle! whitespace-normal! [&_button]:text-left'
const denseHead = clsx(
  'px-1.5!',
  // The sign of a column that isn't sorted shows when it is pointed at, over the padding: twelve of them in a
  // row would take the place of a column.
  'relative [&[aria-sort=none]_svg]:absolute [&[aria-sort=none]_svg]:right-0',
  '[&[aria-sort=none]:not(:hover,:focus-within)_svg]:opacity-0',
)

/** A list as a table. */
export function StudentsTable(props: StudentRowsProps) {
  const { students, selection, selected, onSelectAll, layout, busy } = props
  return (
    <DataTable
      caption={layout.title}
      busy={busy}
      className="print:overflow-visible print:border-0 print:shadow-none print:[&_table_*]:text-[9px]"
    >
      <StudentsHead {...props}>
        {selection && (
          <Checkbox
            label="Select all students on every page"
            checked={selected === 'all'}
            mixed={selected === 'some'}
            onChange={onSelectAll}
          />
        )}
      </StudentsHead>
      <tbody>
        {students.map((student) => (
          <StudentRow key={student.id} student={student} {...props} />
        ))}
      </tbody>
    </DataTable>
  )
}

function StudentsHead({
  layout,
  sort,
  onSort,
  children,
}: Pick<StudentRowsProps, 'layout'> &
  Partial<Pick<StudentRowsProps, 'sort' | 'onSort'>> & { children?: ReactNode }) {
  const look = clsx(headLook, layout.isDense && denseHead)
  return (
    <thead>
      <tr className="bg-soft">
        {layout.hasTicks && (
          <HeadCell className={tickLook}>{children ?? <span className="sr-only">Selection</span>}</HeadCell>
        )}
        {layout.columns.map(({ label, sort: key }, index) => (
          <HeadCell
            key={key}
            className={clsx(look, index === 0 && stickyLeft)}
            sort={sort && directionOf(sort, key)}
            onSort={sort && onSort && (() => onSort(nextSort(sort, key)))}
          >
            {label}
          </HeadCell>
        ))}
        <HeadCell className={clsx(look, stickyRight)}>Actions</HeadCell>
      </tr>
    </thead>
  )
}

function StudentRow({
  student,
  fresh,
  selection,
  actionsOf,
  renderMark,
  layout,
  texts,
}: StudentRowsProps & { student: StudentListItem }) {
  const isFresh = fresh.has(student.id)
  const name = listName(student)
  const look = clsx(layout.isDense && denseCell)
  const Actions = layout.isDense ? ActionIcons : ActionButtons
  return (
    <tr {...{ [rowAttribute]: student.id }} className={isFresh ? 'bg-primary-soft' : 'bg-card hover:bg-soft'}>
      {layout.hasTicks && (
        <Cell className={tickLook}>
          {selection && !student.archived && (
            <Checkbox
              label={`Select ${name}`}
              checked={selection.ids.has(student.id)}
              onChange={() => selection.toggle(student.id)}
            />
          )}
        </Cell>
      )}
      {layout.columns.map(({ sort: key, render, className }, index) =>
        index === 0 ? (
          <th
            key={key}
            scope="row"
            className={clsx(
              'max-w-56 min-w-29 border-b px-3 py-2 font-semibold max-xl:min-w-40 in-[tr:last-child]:border-b-0',
              look,
              className,
              stickyLeft,
            )}
          >
            {render(student, texts)} {isFresh && <Badge tone="info">New</Badge>} {renderMark?.(student)}
          </th>
        ) : (
          <Cell key={key} className={clsx(look, className)}>
            {render(student, texts)}
          </Cell>
        ),
      )}
      <Cell className={clsx(look, stickyRight)}>
        <Actions student={student} actions={actionsOf(student)} />
      </Cell>
    </tr>
  )
}

/** The table while its first rows are being read. */
export function StudentsTableSkeleton({ layout }: { layout: ListLayout }) {
  return (
    <div className="max-md:hidden">
      <DataTable caption={layout.title} busy>
        <StudentsHead layout={layout} />
        <tbody aria-hidden="true">
          {Array.from({ length: 12 }, (_, row) => row).map((row) => (
            <tr key={row} className="bg-card">
              {layout.hasTicks && <Cell />}
              {layout.columns.map(({ sort }) => (
                <Cell key={sort} className={clsx(layout.isDense && denseCell, 'h-14')}>
                  <Skeleton />
                </Cell>
              ))}
              <Cell />
            </tr>
          ))}
        </tbody>
      </DataTable>
    </div>
  )
}
