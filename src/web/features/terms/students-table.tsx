import { clsx } from 'clsx'
import { ArrowRightLeft, Plus } from 'lucide-react'
import { Link } from 'react-router'
import { restrictionLabels } from '#shared/privacy/privacy.ts'
import { phoneText } from '#shared/students/phone-number.ts'
import { studentName } from '#shared/students/student-name.ts'
import type { EnrolmentOrder, EnrolmentSort } from '#shared/terms/enrolments.ts'
import type { EnrolmentItem, ListedStudent, UnplacedItem } from '#shared/terms/enrolments-response.ts'
import { outcomeNames } from '#shared/terms/marking.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { Checkbox } from '#web/components/checkbox.tsx'
import { type Column, ListTable, type SortDirection } from '#web/components/data-table.tsx'
import { RowMenu } from '#web/components/menu.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import type { Newcomer } from './add-to-term.tsx'
import type { Cell as TermCell } from './data.ts'

interface EnrolmentsTableProps {
  items: readonly EnrolmentItem[]
  busy: boolean
  sort: EnrolmentSort
  onSort: (sort: EnrolmentSort) => void
  /** The selected enrolments by id; null for an account that can do nothing with them. */
  selected: ReadonlyMap<string, EnrolmentItem> | null
  onSelect: (selected: ReadonlyMap<string, EnrolmentItem>) => void
  /** Null for an account that may not change enrolments. */
  onChange: ((item: EnrolmentItem) => void) | null
}

export function EnrolmentsTable(props: EnrolmentsTableProps) {
  const { items, busy, sort, onSort, selected, onChange } = props
  const { dayOf } = useInstantTexts()
  const readsMarks = useAccount().can('marks.read')
  const withMarks = (...columns: Column<EnrolmentItem>[]) => (readsMarks ? columns : [])
  const sorted = (order: EnrolmentOrder) => ({
    sort: directionOf(sort, order),
    onSort: () => onSort(sort === order ? `-${order}` : order),
  })
  const columns: Column<EnrolmentItem>[] = [
    ...(selected ? [selectColumn({ ...props, selected })] : []),
    { ...nameColumn, ...sorted('name'), className: clsx(nameColumn.className, selected && 'max-md:pr-24') },
    { head: 'Student ID', ...sorted('studentId'), value: ({ student }) => student.studentId },
    { head: 'Course', ...sorted('course'), value: ({ student }) => student.course },
    { head: 'Sex', ...sorted('sex'), value: ({ student }) => student.sex },
    { head: 'Section', ...sorted('section'), value: ({ section }) => section && sectionLabel(section) },
    ...withMarks({
      head: 'Entry',
      ...sorted('entry'),
      value: ({ entry, school }) => [entry, school].filter(Boolean).join(', '),
    }),
    {
      head: 'Status',
      cell: ({ status, statusOn }) =>
        status === 'enrolled' ? (
          'enrolled'
        ) : (
          <Badge tone="warning">
            {status} {dateOf(statusOn)}
          </Badge>
        ),
    },
    { head: 'Official', value: ({ officialAt }) => officialAt && dayOf(officialAt) },
    ...withMarks(
      { head: 'Mark', value: ({ mark }) => mark },
      { head: 'Outcome', value: ({ outcome }) => outcome && outcomeNames[outcome] },
    ),
    phoneColumn,
  ]
  return (
    <ListTable<EnrolmentItem>
      caption="Students of the term"
      busy={busy}
      isDense
      items={items}
      columns={columns}
      menu={
        onChange &&
        ((item) =>
          item.status === 'enrolled' && (
            <RowMenu
              of={studentName(item.student)}
              entries={[{ label: 'Move or drop…', icon: ArrowRightLeft, onSelect: () => onChange(item) }]}
            />
          ))
      }
    />
  )
}

/** Enrolled students can be selected, all of a page at once. */
function selectColumn(
  props: EnrolmentsTableProps & { selected: ReadonlyMap<string, EnrolmentItem> },
): Column<EnrolmentItem> {
  const { items, busy, selected, onSelect, onChange } = props
  const open = items.filter(({ status }) => status === 'enrolled')
  const chosen = open.filter(({ id }) => selected.has(id))
  const isAll = open.length > 0 && chosen.length === open.length
  function toggle(toggled: readonly EnrolmentItem[], isOn: boolean) {
    const others = new Map(selected)
    for (const item of toggled) {
      if (isOn) others.set(item.id, item)
      else others.delete(item.id)
    }
    onSelect(others)
  }
  return {
    head: 'Selection',
    headClassName: 'w-10 p-0! pl-0.5!',
    headControl: open.length > 0 && (
      <Checkbox
        label="Select all students on this page"
        checked={isAll}
        mixed={!isAll && chosen.length > 0}
        // The rows are still those of the earlier filters.
        disabled={busy}
        onChange={() => toggle(open, !isAll)}
      />
    ),
    className: `p-0! pl-0.5! max-md:absolute max-md:top-1 ${onChange ? 'max-md:right-12' : 'max-md:right-1'}`,
    cell: (item) =>
      item.status === 'enrolled' && (
        <Checkbox
          label={`Select ${studentName(item.student)}`}
          checked={selected.has(item.id)}
          disabled={busy}
          onChange={() => toggle([item], !selected.has(item.id))}
        />
      ),
  }
}

function directionOf(sort: EnrolmentSort, order: EnrolmentOrder): SortDirection | 'none' {
  if (sort === order) return 'ascending'
  return sort === `-${order}` ? 'descending' : 'none'
}

interface UnplacedTableProps {
  cell: TermCell
  items: readonly UnplacedItem[]
  busy: boolean
  onAdd: ((student: Newcomer) => void) | null
}

/** Students are placed together. One alone can be added to a section. */
export function UnplacedTable({ cell, items, busy, onAdd }: UnplacedTableProps) {
  return (
    <ListTable
      isDense
      caption="Students who wait for a section"
      busy={busy}
      items={items.map((item) => ({ ...item, id: item.student.id }))}
      columns={[
        nameColumn,
        { head: 'Student ID', value: ({ student }) => student.studentId },
        { head: 'Course', value: ({ student }) => student.course },
        { head: 'Sex', value: ({ student }) => student.sex },
        { head: 'Entry', value: ({ entry }) => entry },
        {
          head: 'Status',
          cell: ({ enrolmentId }) => (enrolmentId === null ? 'not in the term' : 'without a section'),
        },
        phoneColumn,
        ...(onAdd ? [addColumn(cell, onAdd)] : []),
      ]}
    />
  )
}

function addColumn({ component }: TermCell, onAdd: (student: Newcomer) => void): Column<UnplacedItem> {
  return {
    head: 'Actions',
    isHeadHidden: true,
    cell: ({ student, enrolmentId, entry }) =>
      enrolmentId === null && (
        <SmallButton icon={Plus} onClick={() => onAdd({ ...student, nstpComponent: component, entry })}>
          Add…
        </SmallButton>
      ),
  }
}

interface OfStudent {
  student: ListedStudent
}

/** The name leads to the record. */
const nameColumn: Column<OfStudent> = {
  head: 'Name',
  isRowHead: true,
  className: 'font-semibold wrap-anywhere md:min-w-48',
  cell: ({ student }) => (
    <>
      <Link
        to={tabPath('students', { student: student.id })}
        className="underline-offset-4 hover:underline max-md:inline-flex max-md:min-h-9"
      >
        {studentName(student)}
      </Link>{' '}
      {student.restriction && <Badge tone="danger">{restrictionLabels[student.restriction]}</Badge>}
    </>
  ),
}

/** The number to call, for looking somebody up with the phone in hand. */
const phoneColumn: Column<OfStudent> = {
  head: '',
  cell: ({ student: { contactNumber } }) =>
    contactNumber && (
      <a href={`tel:${contactNumber}`} className="inline-flex min-h-9 items-center underline">
        {phoneText(contactNumber)}
      </a>
    ),
}
