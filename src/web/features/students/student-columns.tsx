import type { ReactNode } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import { nstpComponents } from '#shared/student-choices.ts'
import type { StudentSortKey } from '#shared/students.ts'
import { Badge } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { type InstantTexts, listName, missing, orMissing } from './student-texts.ts'

interface StudentColumn {
  label: string
  sort: StudentSortKey
  render: (student: StudentListItem, texts: InstantTexts) => ReactNode
  /** How its cells wrap: what people copy or compare stays on one line. */
  className?: string
}

/** The columns of the list between the checkbox and the actions, in order (spec §2). */
export const studentColumns: readonly [StudentColumn, ...StudentColumn[]] = [
  { label: 'Name', sort: 'name', render: listName },
  { label: 'Sex', sort: 'sex', render: ({ sex }) => orMissing(sex) },
  { label: 'Course', sort: 'course', render: ({ course }) => orMissing(course) },
  {
    label: 'Academic Year',
    sort: 'academicYear',
    render: ({ academicYear }) => orMissing(academicYear),
    className: 'whitespace-nowrap',
  },
  {
    label: 'Contact',
    sort: 'contactNumber',
    render: ({ contactNumber }) => orMissing(contactNumber),
    className: 'min-w-28',
  },
  {
    label: 'Email',
    sort: 'email',
    render: ({ email }) => orMissing(email),
    className: 'min-w-36 wrap-anywhere',
  },
  {
    label: 'NSTP Component',
    sort: 'nstpComponent',
    render: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
  },
  { label: 'Status', sort: 'status', render: ({ archived }) => <StatusBadge archived={archived} /> },
  {
    label: 'Emergency Contact',
    sort: 'emergencyContact',
    render: ({ emergencyContactName, emergencyContactNumber }) => (
      <>
        <span className="block">{orMissing(emergencyContactName)}</span>
        <span className="block whitespace-nowrap text-muted">{orMissing(emergencyContactNumber)}</span>
      </>
    ),
    className: 'min-w-36',
  },
  {
    label: 'Registration Date',
    sort: 'registrationDate',
    render: ({ registrationDate }, { dayOf, momentOf }) => (
      <time dateTime={registrationDate} title={momentOf(registrationDate)}>
        {dayOf(registrationDate)}
      </time>
    ),
    className: 'whitespace-nowrap',
  },
]

export function StatusBadge({ archived }: { archived: boolean }) {
  return archived ? <Badge>Archived</Badge> : <Badge tone="success">Active</Badge>
}

export function ComponentBadge({ component }: { component: string }) {
  const known = nstpComponents.find((name) => name === component)
  if (known) return <Badge tone={componentTones[known]}>{known}</Badge>
  return component === '' ? missing : <Badge>{component}</Badge>
}
