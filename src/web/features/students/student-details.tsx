import { type ReactNode, useState } from 'react'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { InstantTexts } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { type LoadedRecord, orMissing } from './data.ts'
import { DuplicateNote } from './record-actions.tsx'

interface StudentDetailsProps {
  id: string | null
  details: LoadedRecord | null
  onClose: () => void
  renderSheet: (student: StudentRecord) => ReactNode
  renderMail: (student: StudentRecord) => ReactNode
  onCompare: (id: string) => void
  texts: InstantTexts
}

/** The modal 'Student Details' (spec §2). */
export function StudentDetails({ id, details, onClose, ...body }: StudentDetailsProps) {
  // Keeps the content while the modal fades out.
  const [last, setLast] = useState({ id, details })
  if (id !== null && (last.id !== id || last.details !== details)) setLast({ id, details })

  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="Student Details"
      size="lg"
      footer={
        <Button variant="outline" size="sm" onClick={onClose}>
          Close
        </Button>
      }
    >
      <DetailsBody details={last.details} {...body} />
    </Modal>
  )
}

function DetailsBody({
  details,
  renderSheet,
  renderMail,
  onCompare,
  texts,
}: Omit<StudentDetailsProps, 'id' | 'onClose'>) {
  if (!details) return <DetailsSkeleton />
  if ('failure' in details) return <ErrorBanner message={details.failure} />
  const { record } = details
  return (
    <div className="grid gap-6">
      {record.isDuplicate && <DuplicateNote onCompare={() => onCompare(record.id)} />}
      {renderSheet(record)}
      {studentSections.map(({ title, members }) => (
        <section key={title}>
          <h3 className="border-b pb-1 font-semibold text-primary">{title}</h3>
          <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-3 sm:gap-x-6 md:grid-cols-3">
            {members.map((member) => {
              const { label, value } = detailOf(record, member, texts)
              return (
                <div key={member} className="min-w-0">
                  <dt className="text-xs font-medium text-muted">{label}</dt>
                  <dd className="whitespace-pre-line wrap-anywhere">
                    <AddressText text={value} />
                  </dd>
                </div>
              )
            })}
          </dl>
        </section>
      ))}
      {renderMail(record)}
    </div>
  )
}

function DetailsSkeleton() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">Loading the student's details</span>
      {studentSections.slice(0, 4).map(({ title }) => (
        <div key={title} aria-hidden="true">
          <Skeleton className="h-5 w-48" />
          <div className="mt-3 grid grid-cols-2 gap-x-4 gap-y-4 sm:gap-x-6 md:grid-cols-3">
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
            <Skeleton className="h-8" />
          </div>
        </div>
      ))}
    </div>
  )
}

interface Detail {
  label: string
  value: string
}

type RecordMember =
  | 'reference'
  | 'status'
  | 'registrationDate'
  | 'archived'
  | 'archivedDate'
  | 'consentVersion'
  | 'consentedAt'

const memberLabels: Record<RecordMember, string> = {
  reference: 'Reference',
  status: 'Status',
  registrationDate: 'Registration Date',
  archived: 'Archived',
  archivedDate: 'Archived Date',
  consentVersion: 'Privacy Notice Version',
  consentedAt: 'Privacy Consent Given',
}

/** The nine sections of 'Student Details' (spec §2); every member of a record is in exactly one. */
export const studentSections: readonly {
  title: string
  members: readonly (StudentField | RecordMember)[]
}[] = [
  {
    title: 'Basic Information',
    members: [
      'lastName',
      'firstName',
      'middleName',
      'sex',
      'dateOfBirth',
      'placeOfBirth',
      'civilStatus',
      'citizenship',
      'religion',
    ],
  },
  {
    title: 'Contact Information',
    members: ['contactNumber', 'email', 'address', 'municipalCity', 'zipCode'],
  },
  { title: 'Physical Information', members: ['height', 'weight', 'bloodType'] },
  { title: 'Educational Information', members: ['studentId', 'course', 'yearLevel', 'academicYear'] },
  {
    title: 'NSTP Information',
    members: [
      'nstpComponent',
      'serialNumber',
      'reference',
      'status',
      'registrationDate',
      'archived',
      'archivedDate',
    ],
  },
  {
    title: 'Emergency Contact',
    members: ['emergencyContactName', 'emergencyContactNumber', 'emergencyContactAddress'],
  },
  {
    title: 'Parent/Guardian Information',
    members: [
      'fatherName',
      'fatherOccupation',
      'motherName',
      'motherOccupation',
      'guardianName',
      'guardianRelationship',
      'guardianAddress',
      'guardianContactNumber',
    ],
  },
  {
    title: 'Educational Background',
    members: [
      'elementarySchool',
      'elementaryYearGraduated',
      'highSchool',
      'highSchoolYearGraduated',
      'college',
      'collegeYearGraduated',
    ],
  },
  {
    title: 'Additional Information',
    members: ['workExperience', 'skills', 'hobbies', 'socialSecurityNumber', 'consentedAt', 'consentVersion'],
  },
]

export function detailOf(
  student: StudentRecord,
  member: StudentField | RecordMember,
  texts: InstantTexts,
): Detail {
  return { label: labelOf(member), value: orMissing(textOf(student, member, texts)) }
}

function labelOf(member: StudentField | RecordMember): string {
  return isRecordMember(member) ? memberLabels[member] : fieldDefinition(member).label
}

function isRecordMember(member: StudentField | RecordMember): member is RecordMember {
  return member in memberLabels
}

function textOf(
  student: StudentRecord,
  member: StudentField | RecordMember,
  { momentOf }: InstantTexts,
): string {
  switch (member) {
    case 'yearLevel':
      return yearLevelLabel(student.yearLevel)
    case 'dateOfBirth':
      return dateOf(student.dateOfBirth)
    case 'registrationDate':
    case 'consentedAt':
      return momentOf(student[member])
    case 'archivedDate':
      return student.archivedDate === null ? '' : momentOf(student.archivedDate)
    case 'archived':
      return student.archived ? 'Yes' : 'No'
    default:
      return student[member]
  }
}
