import { type ReactNode, useMemo } from 'react'
import { phoneText } from '#shared/students/phone-number.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import type { StudentSortKey } from '#shared/students/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallLink } from '#web/components/button.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { componentTones } from '#web/lib/component-tones.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { archiveListConfig, type ListConfig, studentsListConfig } from './student-lists.ts'
import { listName, missing, orMissing } from './student-texts.ts'

interface StudentColumn {
  label: string
  sort: StudentSortKey
  /** Shown to those who see this field; absent for everybody. */
  of?: StudentField
  render: (student: StudentListItem) => ReactNode
  /** A card shows this column among its badges. */
  isBadge?: true
  /** A card shows this column in a line of text. */
  renderLine?: (student: StudentListItem) => ReactNode
  lineLabel?: string
  /** Its width from 1,280 px on: all columns fit beside the menu, and the name takes the rest. */
  className?: string
}

const nameColumn: StudentColumn = {
  label: 'Name',
  sort: 'name',
  render: (student) => <Clamped text={listName(student)} />,
  className: 'xl:w-[144px] min-[85rem]:w-[168px] 2xl:w-auto',
}

const studentIdColumn: StudentColumn = {
  label: 'Student ID',
  sort: 'studentId',
  render: ({ studentId }) => <Cut text={studentId} />,
  renderLine: ({ studentId }) => orMissing(studentId),
  className: 'max-xl:whitespace-nowrap xl:w-[96px] 2xl:w-32',
}

const courseColumn: StudentColumn = {
  label: 'Course',
  sort: 'course',
  render: ({ course }) => <Clamped text={course} />,
  renderLine: ({ course }) => orMissing(course),
  className: 'max-xl:min-w-20 xl:w-[64px] 2xl:w-32',
}

const academicYearColumn: StudentColumn = {
  label: 'Academic Year',
  sort: 'academicYear',
  render: ({ academicYear }) => orMissing(academicYear),
  renderLine: ({ academicYear }) => orMissing(academicYear),
  className: 'whitespace-nowrap xl:w-[78px]',
}

const componentColumn: StudentColumn = {
  label: 'NSTP Component',
  sort: 'nstpComponent',
  render: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
  isBadge: true,
  className: 'xl:w-[86px]',
}

/** The columns between the checkbox and the actions, in order (product 9.3). */
const studentColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  nameColumn,
  studentIdColumn,
  {
    label: 'Sex',
    sort: 'sex',
    render: ({ sex }) => <Clamped text={sex} />,
    renderLine: ({ sex }) => orMissing(sex),
    className: 'max-xl:min-w-16 xl:w-[60px]',
  },
  courseColumn,
  academicYearColumn,
  {
    label: 'Contact',
    sort: 'contactNumber',
    of: 'contactNumber',
    render: ({ contactNumber }) => <Cut text={phoneText(contactNumber)} />,
    renderLine: ({ contactNumber }) => linked('tel', contactNumber),
    className: 'max-xl:whitespace-nowrap xl:w-[112px] 2xl:w-36',
  },
  {
    label: 'Email',
    sort: 'email',
    of: 'email',
    render: ({ email }) => <Cut text={email} />,
    renderLine: ({ email }) => linked('mailto', email),
  },
  componentColumn,
  {
    label: 'Status',
    sort: 'status',
    render: ({ archived }) => <StatusBadge archived={archived} />,
    isBadge: true,
    className: 'xl:w-[72px]',
  },
  {
    label: 'Emergency Contact',
    sort: 'emergencyContact',
    of: 'emergencyContactName',
    render: ({ emergencyContactName, emergencyContactNumber }) => (
      <>
        <Cut text={emergencyContactName} />
        <span className="block truncate text-xs leading-3.5 text-muted">
          {orMissing(phoneText(emergencyContactNumber))}
        </span>
      </>
    ),
    renderLine: ({ emergencyContactName, emergencyContactNumber }) => (
      <>
        {orMissing(emergencyContactName)}
        <br />
        {orMissing(phoneText(emergencyContactNumber))}
      </>
    ),
    className: 'xl:w-[116px] 2xl:w-44',
  },
  {
    label: 'Registration Date',
    sort: 'registrationDate',
    render: ({ registrationDate }) => <Instant instant={registrationDate} form="day" />,
    lineLabel: 'Registered',
    renderLine: ({ registrationDate }) => <Instant instant={registrationDate} form="moment" />,
    className: 'leading-4 max-xl:whitespace-nowrap xl:w-[90px]',
  },
]

/** The columns before the actions, in order (product 11.1). */
const archivedColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  { ...nameColumn, className: '' },
  studentIdColumn,
  { ...courseColumn, className: 'xl:w-[96px] 2xl:w-40' },
  { ...componentColumn, className: 'xl:w-[96px] 2xl:w-40' },
  { ...academicYearColumn, className: 'leading-4 max-xl:whitespace-nowrap xl:w-[96px] 2xl:w-40' },
  {
    label: 'Archived Date',
    sort: 'archivedDate',
    render: ({ archivedDate }) => <Instant instant={archivedDate} form="day" />,
    lineLabel: 'Archived',
    renderLine: ({ archivedDate }) => <Instant instant={archivedDate} form="moment" />,
    className: 'leading-4 max-xl:whitespace-nowrap xl:w-[112px] 2xl:w-40',
  },
]

function Instant({ instant, form }: { instant: string | null; form: 'day' | 'moment' }) {
  const { dayOf, momentOf } = useInstantTexts()
  if (instant === null) return missing
  if (form === 'moment') return momentOf(instant)
  return (
    <time dateTime={instant} title={momentOf(instant)}>
      {dayOf(instant)}
    </time>
  )
}

// Two lines fit a row of any height. The title, the details and paper show the full text.
function Clamped({ text }: { text: string }) {
  return (
    <span
      title={text}
      className="line-clamp-2 max-w-64 leading-4 xl:max-w-none wrap-anywhere print:line-clamp-none"
    >
      {orMissing(text)}
    </span>
  )
}

function Cut({ text }: { text: string }) {
  return (
    <span
      title={text}
      className="block max-w-64 truncate leading-4 print:wrap-anywhere print:whitespace-normal"
    >
      {orMissing(text)}
    </span>
  )
}

function StatusBadge({ archived }: { archived: boolean }) {
  return archived ? <Badge>Archived</Badge> : <Badge tone="success">Active</Badge>
}

function ComponentBadge({ component }: { component: string }) {
  const listed = nstpComponents.find((name) => name === component)
  if (listed) return <Badge tone={componentTones[listed]}>{listed}</Badge>
  return component === '' ? missing : <Badge>{component}</Badge>
}

export interface ListLayout extends ListConfig {
  title: string
  emptyTitle: string
  emptyAction?: ReactNode
  columns: readonly [StudentColumn, ...StudentColumn[]]
  hasTicks: boolean
}

function FirstStudents() {
  const { can } = useAccount()
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <SmallLink to="/poster">Share link and QR poster</SmallLink>
      {can('imports') && <SmallLink to={tabPath('import')}>Import students</SmallLink>}
    </div>
  )
}

/** The layout without what this account doesn't see. */
export function useShownLayout(layout: ListLayout): ListLayout {
  const { can, sees } = useAccount()
  return useMemo(() => {
    const [first, ...columns] = layout.columns
    return {
      ...layout,
      columns: [first, ...columns.filter(({ of = 'id' }) => sees(of))],
      filters: layout.filters.filter((name) => name !== 'network' || can('students.reject')),
    }
  }, [layout, can, sees])
}

export const studentsLayout: ListLayout = {
  ...studentsListConfig,
  title: 'Students',
  emptyTitle: 'No students registered yet.',
  emptyAction: <FirstStudents />,
  columns: studentColumns,
  hasTicks: true,
}

export const archiveLayout: ListLayout = {
  ...archiveListConfig,
  title: 'Archived Students',
  emptyTitle: 'No archived students.',
  columns: archivedColumns,
  hasTicks: false,
}

function linked(scheme: 'tel' | 'mailto', text: string): ReactNode {
  if (text === '') return orMissing(text)
  return (
    <a href={`${scheme}:${text}`} className="text-primary underline underline-offset-2">
      {scheme === 'tel' ? phoneText(text) : text}
    </a>
  )
}
