import { clsx } from 'clsx'
import { Eye } from 'lucide-react'
import type { StudentListItem } from '#shared/student.ts'
import type { StudentSort } from '#shared/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { IconButton } from '#web/components/button.tsx'
import { Cell, DataTable, HeadCell } from '#web/components/data-table.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { Checkbox } from './checkbox.tsx'
import { rowAttribute } from './keep-in-view.tsx'
import { directionOf, nextSort } from './next-sort.ts'
import type { Selection } from './selection.ts'
import { studentColumns } from './student-columns.tsx'
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
  onView: (id: string) => void
  busy: boolean
  texts: InstantTexts
}

// Wide tables scroll inside their frame; the name stays in sight on the left, the action on the right.
const stickyLeft = 'sticky! left-0 z-1 bg-inherit print:static!'
const stickyRight = 'sticky! right-0 z-1 bg-inherit max-xl:shadow-[inset_1px_0_0_var(--line)] print:hidden'
/** Twelve columns side by side: less padding than a table of few columns has. */
const dense = 'px-1.5! xl:max-[90rem]:text-[0.8125rem]'
const denseHead = clsx(
  'px-1.5! align-middle! whitespace-normal! [&_button]:text-left',
  // The sign of a column that isn't sorted shows when it is pointed at, over the padding: twelve of them in a
  // row would take the place of a column.
  'relative [&[aria-sort=none]_svg]:absolute [&[aria-sort=none]_svg]:right-0',
  '[&[aria-sort=none]:not(:hover,:focus-within)_svg]:opacity-0',
)

/** The list as a table (spec §2 "Students tab"). */
export function StudentsTable(props: StudentRowsProps) {
  const { students, selection, selected, onSelectAll, busy } = props
  return (
    <DataTable
      caption="Students"
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
  sort,
  onSort,
  children,
}: Partial<Pick<StudentRowsProps, 'sort' | 'onSort'>> & { children?: React.ReactNode }) {
  return (
    <thead>
      <tr className="bg-soft">
        <HeadCell className="w-10 py-0 pr-0! pl-0.5! print:hidden">
          {children ?? <span className="sr-only">Selection</span>}
        </HeadCell>
        {studentColumns.map(({ label, sort: key }, index) => (
          <HeadCell
            key={key}
            className={clsx(denseHead, index === 0 && stickyLeft)}
            sort={sort && directionOf(sort, key)}
            onSort={sort && onSort && (() => onSort(nextSort(sort, key)))}
          >
            {label}
          </HeadCell>
        ))}
        <HeadCell className={clsx(denseHead, stickyRight)}>Actions</HeadCell>
      </tr>
    </thead>
  )
}

function StudentRow({
  student,
  fresh,
  selection,
  onView,
  texts,
}: StudentRowsProps & { student: StudentListItem }) {
  const isFresh = fresh.has(student.id)
  const name = listName(student)
  return (
    <tr {...{ [rowAttribute]: student.id }} className={isFresh ? 'bg-primary-soft' : 'bg-card hover:bg-soft'}>
      <Cell className="w-10 py-0 pr-0! pl-0.5! print:hidden">
        {selection && !student.archived && (
          <Checkbox
            label={`Select ${name}`}
            checked={selection.ids.has(student.id)}
            onChange={() => selection.toggle(student.id)}
          />
        )}
      </Cell>
      {studentColumns.map(({ sort: key, render, className }, index) =>
        index === 0 ? (
          <th
            key={key}
            scope="row"
            className={clsx(
              'max-w-56 min-w-29 border-b px-1.5 py-2 font-semibold max-xl:min-w-40 xl:max-[90rem]:text-[0.8125rem]',
              className,
              stickyLeft,
            )}
          >
            {render(student, texts)} {isFresh && <Badge tone="info">New</Badge>}
          </th>
        ) : (
          <Cell key={key} className={clsx(dense, className)}>
            {render(student, texts)}
          </Cell>
        ),
      )}
      <Cell className={clsx(dense, stickyRight)}>
        <IconButton id={viewButtonId(student.id)} label={`View ${name}`} onClick={() => onView(student.id)}>
          <Eye aria-hidden="true" className="size-5" />
        </IconButton>
      </Cell>
    </tr>
  )
}

/** The button that opens a student's details; the focus comes back to it. */
export function viewButtonId(student: string): string {
  return `view-${student}`
}

/** The table while its first rows are being read. */
export function StudentsTableSkeleton() {
  return (
    <div role="status" className="max-md:hidden">
      <span className="sr-only">Loading students</span>
      <DataTable caption="Students" busy>
        <StudentsHead />
        <tbody aria-hidden="true">
          {Array.from({ length: 12 }, (_, row) => row).map((row) => (
            <tr key={row} className="bg-card">
              <Cell />
              {studentColumns.map(({ sort }) => (
                <Cell key={sort} className={clsx(dense, 'h-14')}>
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
