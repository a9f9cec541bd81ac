import type { ReactNode } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import { nstpComponents } from '#shared/student-choices.ts'
import type { StudentSortKey } from '#shared/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import { listName, missing, orMissing } from './student-texts.ts'

export interface StudentColumn {
  label: string
  sort: StudentSortKey
  render: (student: StudentListItem, texts: InstantTexts) => ReactNode
  /** How its cells wrap. All columns fit beside the menu on a screen of 1,280 px. */
  className?: string
}

const nameColumn: StudentColumn = {
  label: 'Name',
  sort: 'name',
  render: (student) => <Name text={listName(student)} />,
}

const courseColumn: StudentColumn = {
  label: 'Course',
  sort: 'course',
  render: ({ course }) => orMissing(course),
}

const academicYearColumn: StudentColumn = {
  label: 'Academic Year',
  sort: 'academicYear',
  render: ({ academicYear }) => orMissing(academicYear),
  className: 'whitespace-nowrap',
}

const componentColumn: StudentColumn = {
  label: 'NSTP Component',
  sort: 'nstpComponent',
  render: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
}

/** The columns of the students tab between the checkbox and the actions, in order (spec §2). */
export const studentColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  nameColumn,
  { label: 'Sex', sort: 'sex', render: ({ sex }) => orMissing(sex) },
  courseColumn,
  academicYearColumn,
  {
    label: 'Contact',
    sort: 'contactNumber',
    render: ({ contactNumber }) => orMissing(contactNumber),
    // At its blanks and hyphens, and only where the room is scarce.
    className: 'max-xl:whitespace-nowrap min-[90rem]:whitespace-nowrap',
  },
  {
    label: 'Email',
    sort: 'email',
    render: ({ email }) => <Email address={email} />,
  },
  componentColumn,
  { label: 'Status', sort: 'status', render: ({ archived }) => <StatusBadge archived={archived} /> },
  {
    label: 'Emergency Contact',
    sort: 'emergencyContact',
    render: ({ emergencyContactName, emergencyContactNumber }) => (
      <>
        <Name text={orMissing(emergencyContactName)} />
        <span className="block whitespace-nowrap text-muted xl:max-[90rem]:text-xs">
          {orMissing(emergencyContactNumber)}
        </span>
      </>
    ),
  },
  {
    label: 'Registration Date',
    sort: 'registrationDate',
    render: ({ registrationDate }, texts) => <Day instant={registrationDate} texts={texts} />,
    className: 'min-w-15',
  },
]

/** The columns of the archived students before the actions, in order (spec §2). */
export const archivedColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  nameColumn,
  courseColumn,
  componentColumn,
  academicYearColumn,
  {
    label: 'Archived Date',
    sort: 'archivedDate',
    render: ({ archivedDate }, texts) =>
      archivedDate === null ? missing : <Day instant={archivedDate} texts={texts} />,
    className: 'whitespace-nowrap',
  },
]

function Day({ instant, texts: { dayOf, momentOf } }: { instant: string; texts: InstantTexts }) {
  return (
    <time dateTime={instant} title={momentOf(instant)}>
      {dayOf(instant)}
    </time>
  )
}

/** Three lines, however long the name is; the whole of it shows when pointed at, in the details and on paper. */
function Name({ text }: { text: string }) {
  return (
    <span title={text} className="line-clamp-3 wrap-anywhere print:line-clamp-none">
      {text}
    </span>
  )
}

/** One line, however long the address is; the whole of it shows when pointed at, and in the details. */
function Email({ address }: { address: string }) {
  if (address === '') return missing
  return (
    <span
      title={address}
      className="block max-w-20 truncate min-[90rem]:max-w-40 2xl:max-w-64 print:min-w-24 print:max-w-none print:wrap-anywhere print:whitespace-normal"
    >
      {address}
    </span>
  )
}

export function StatusBadge({ archived }: { archived: boolean }) {
  return archived ? <Badge>Archived</Badge> : <Badge tone="success">Active</Badge>
}

export function ComponentBadge({ component }: { component: string }) {
  const known = nstpComponents.find((name) => name === component)
  if (known) return <Badge tone={componentTones[known]}>{known}</Badge>
  return component === '' ? missing : <Badge>{component}</Badge>
}
