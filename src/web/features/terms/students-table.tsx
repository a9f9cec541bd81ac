import { ArrowRightLeft, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
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
import {
  ActionsCell,
  ActionsHead,
  Cell,
  DataTable,
  HeadCell,
  RowHead,
  type SortDirection,
  StackedCell,
  StackedHead,
  StackedRow,
  StackedTable,
} from '#web/components/data-table.tsx'
import { RowMenu } from '#web/components/menu.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import type { Newcomer } from './add-to-term.tsx'
import type { Cell as TermCell } from './data.ts'

const allHeads: readonly { order: EnrolmentOrder; label: string }[] = [
  { order: 'name', label: 'Name' },
  { order: 'studentId', label: 'Student ID' },
  { order: 'course', label: 'Course' },
  { order: 'sex', label: 'Sex' },
  { order: 'section', label: 'Section' },
  { order: 'entry', label: 'Entry' },
]

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
  const { items, busy, sort, onSort, selected, onSelect, onChange } = props
  const readsMarks = useAccount().can('marks.read')
  const heads = allHeads.filter(({ order }) => order !== 'entry' || readsMarks)
  const open = items.filter(({ status }) => status === 'enrolled')
  const chosen = open.filter(({ id }) => selected?.has(id))
  const isAll = open.length > 0 && chosen.length === open.length
  const toggleAll = () => {
    const others = new Map(selected)
    for (const item of open) {
      if (isAll) others.delete(item.id)
      else others.set(item.id, item)
    }
    onSelect(others)
  }
  return (
    <DataTable caption="Students of the term" busy={busy} isDense>
      <StackedHead>
        {selected && (
          <HeadCell className="w-10 p-0! pl-0.5!">
            {open.length > 0 && (
              <Checkbox
                label="Select all students on this page"
                checked={isAll}
                mixed={!isAll && chosen.length > 0}
                // The rows are still those of the earlier filters.
                disabled={busy}
                onChange={toggleAll}
              />
            )}
          </HeadCell>
        )}
        {heads.map(({ order, label }) => (
          <HeadCell
            key={order}
            sort={directionOf(sort, order)}
            onSort={() => onSort(sort === order ? `-${order}` : order)}
          >
            {label}
          </HeadCell>
        ))}
        <HeadCell>Status</HeadCell>
        <HeadCell>Official</HeadCell>
        {readsMarks && (
          <>
            <HeadCell>Mark</HeadCell>
            <HeadCell>Outcome</HeadCell>
          </>
        )}
        {onChange && <ActionsHead className="w-12" />}
      </StackedHead>
      <tbody>
        {items.map((item) => (
          <EnrolmentRow key={item.id} item={item} {...props} />
        ))}
      </tbody>
    </DataTable>
  )
}

function directionOf(sort: EnrolmentSort, order: EnrolmentOrder): SortDirection | 'none' {
  if (sort === order) return 'ascending'
  return sort === `-${order}` ? 'descending' : 'none'
}

type EnrolmentRowProps = Pick<EnrolmentsTableProps, 'busy' | 'selected' | 'onSelect' | 'onChange'> & {
  item: EnrolmentItem
}

function EnrolmentRow({ item, busy, selected, onSelect, onChange }: EnrolmentRowProps) {
  const { dayOf } = useInstantTexts()
  const { id, student, section, entry, status, statusOn, officialAt, mark, outcome } = item
  const name = studentName(student)
  const isOpen = status === 'enrolled'
  const toggle = () => {
    const others = new Map(selected)
    if (!others.delete(id)) others.set(id, item)
    onSelect(others)
  }
  return (
    <StackedRow className="max-md:relative">
      {selected && (
        <Cell
          className={`p-0! pl-0.5! max-md:absolute max-md:top-1 max-md:border-b-0 ${onChange ? 'max-md:right-12' : 'max-md:right-1'}`}
        >
          {isOpen && (
            <Checkbox label={`Select ${name}`} checked={selected.has(id)} disabled={busy} onChange={toggle} />
          )}
        </Cell>
      )}
      <NameCell student={student} hasActions={selected !== null} />
      <TextCell head="Student ID">{student.studentId}</TextCell>
      <TextCell head="Course">{student.course}</TextCell>
      <TextCell head="Sex">{student.sex}</TextCell>
      <TextCell head="Section">{section && sectionLabel(section)}</TextCell>
      {entry !== undefined && (
        <TextCell head="Entry">{[entry, item.school].filter(Boolean).join(', ')}</TextCell>
      )}
      <StackedCell>
        {isOpen ? (
          'enrolled'
        ) : (
          <Badge tone="warning">
            {status} {dateOf(statusOn)}
          </Badge>
        )}
      </StackedCell>
      <TextCell head="Official">{officialAt && dayOf(officialAt)}</TextCell>
      {outcome !== undefined && (
        <>
          <TextCell head="Mark">{mark}</TextCell>
          <TextCell head="Outcome">{outcomeNames[outcome]}</TextCell>
        </>
      )}
      <PhoneCell student={student} />
      {onChange && (
        <ActionsCell>
          {isOpen && (
            <RowMenu
              of={name}
              entries={[{ label: 'Move or drop…', icon: ArrowRightLeft, onSelect: () => onChange(item) }]}
            />
          )}
        </ActionsCell>
      )}
    </StackedRow>
  )
}

interface UnplacedTableProps {
  cell: TermCell
  items: readonly UnplacedItem[]
  busy: boolean
  onAdd: ((student: Newcomer) => void) | null
}

/** They are placed together; one alone can be added to a section. */
export function UnplacedTable({ cell, items, busy, onAdd }: UnplacedTableProps) {
  return (
    <StackedTable
      isDense
      caption="Students who wait for a section"
      busy={busy}
      heads={['Name', 'Student ID', 'Course', 'Sex', 'Entry', 'Status']}
      actions={onAdd ? '' : undefined}
    >
      {items.map(({ student, enrolmentId, entry }) => (
        <StackedRow key={student.id}>
          <NameCell student={student} hasActions={false} />
          <TextCell head="Student ID">{student.studentId}</TextCell>
          <TextCell head="Course">{student.course}</TextCell>
          <TextCell head="Sex">{student.sex}</TextCell>
          <TextCell head="Entry">{entry}</TextCell>
          <StackedCell>{enrolmentId === null ? 'not in the term' : 'without a section'}</StackedCell>
          <PhoneCell student={student} />
          {onAdd && (
            <StackedCell>
              {enrolmentId === null && (
                <SmallButton
                  icon={Plus}
                  onClick={() => onAdd({ ...student, nstpComponent: cell.component, entry })}
                >
                  Add…
                </SmallButton>
              )}
            </StackedCell>
          )}
        </StackedRow>
      ))}
    </StackedTable>
  )
}

/** It leads to the record. */
function NameCell({ student, hasActions }: { student: ListedStudent; hasActions: boolean }) {
  return (
    <RowHead className={`font-semibold wrap-anywhere md:min-w-48 ${hasActions ? 'max-md:pr-24' : ''}`}>
      <Link
        to={tabPath('students', { student: student.id })}
        className="underline-offset-4 hover:underline max-md:inline-flex max-md:min-h-9"
      >
        {studentName(student)}
      </Link>{' '}
      {student.restriction && <Badge tone="danger">{restrictionLabels[student.restriction]}</Badge>}
    </RowHead>
  )
}

/** A cell of the table. On a phone each cell takes a line, so an empty one is left out there. */
function TextCell({ head, children }: { head: string; children: ReactNode }) {
  return (
    <StackedCell head={head} className={children ? 'wrap-break-word' : 'max-md:hidden'}>
      {children || '–'}
    </StackedCell>
  )
}

/** The number to call, for looking somebody up with the phone in hand. */
function PhoneCell({ student: { contactNumber } }: { student: ListedStudent }) {
  if (contactNumber === '') return null
  return (
    <StackedCell className="md:hidden">
      <a href={`tel:${contactNumber}`} className="inline-flex min-h-9 items-center underline">
        {phoneText(contactNumber)}
      </a>
    </StackedCell>
  )
}
