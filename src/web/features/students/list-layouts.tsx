import type { ReactNode } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import type { InstantTexts } from '#web/lib/instant-texts.ts'
import {
  archivedColumns,
  ComponentBadge,
  StatusBadge,
  type StudentColumn,
  studentColumns,
} from './student-columns.tsx'
import { orMissing } from './student-texts.ts'

/** What a list shows of each student: as a table's row, as a card on a phone, and on paper. */
export interface ListLayout {
  /** Names the list, also on paper. */
  title: string
  /** What stands in its place while it has nobody. */
  emptyTitle: string
  columns: readonly [StudentColumn, ...StudentColumn[]]
  /** So many columns that they stand closer and the actions are pictures. */
  isDense: boolean
  /** Whether its students can be ticked. */
  hasTicks: boolean
  card: {
    badges: (student: StudentListItem) => ReactNode
    lines: readonly { label: string; render: StudentColumn['render'] }[]
  }
}

export const studentsLayout: ListLayout = {
  title: 'Students',
  emptyTitle: 'No students registered yet.',
  columns: studentColumns,
  isDense: true,
  hasTicks: true,
  card: {
    badges: ({ nstpComponent, archived }) => (
      <>
        <ComponentBadge component={nstpComponent} />
        <StatusBadge archived={archived} />
      </>
    ),
    lines: [
      { label: 'Sex', render: ({ sex }) => orMissing(sex) },
      { label: 'Course', render: ({ course }) => orMissing(course) },
      { label: 'Academic Year', render: ({ academicYear }) => orMissing(academicYear) },
      { label: 'Contact', render: ({ contactNumber }) => linked('tel', contactNumber) },
      { label: 'Email', render: ({ email }) => linked('mailto', email) },
      {
        label: 'Emergency Contact',
        render: ({ emergencyContactName, emergencyContactNumber }) => (
          <>
            {orMissing(emergencyContactName)}
            <br />
            {orMissing(emergencyContactNumber)}
          </>
        ),
      },
      { label: 'Registered', render: ({ registrationDate }, { momentOf }) => momentOf(registrationDate) },
    ],
  },
}

export const archiveLayout: ListLayout = {
  title: 'Archived Students',
  emptyTitle: 'No archived students.',
  columns: archivedColumns,
  isDense: false,
  hasTicks: false,
  card: {
    badges: ({ nstpComponent }) => <ComponentBadge component={nstpComponent} />,
    lines: [
      { label: 'Course', render: ({ course }) => orMissing(course) },
      { label: 'Academic Year', render: ({ academicYear }) => orMissing(academicYear) },
      { label: 'Archived', render: ({ archivedDate }, texts) => archivedMoment(archivedDate, texts) },
    ],
  },
}

function archivedMoment(archivedDate: string | null, { momentOf }: InstantTexts): string {
  return orMissing(archivedDate === null ? '' : momentOf(archivedDate))
}

/** On a phone a number can be called and an address be written to. */
function linked(scheme: 'tel' | 'mailto', text: string): ReactNode {
  if (text === '') return orMissing(text)
  return (
    <a href={`${scheme}:${text}`} className="text-primary underline underline-offset-2">
      {text}
    </a>
  )
}
