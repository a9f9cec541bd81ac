import { CopyCheck } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import type { StudentRecord, StudentView } from '#shared/students/student-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal, useLastShown } from '#web/components/modal.tsx'
import { Loading } from '#web/components/tab-frame.tsx'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { orMissing, useStudentRecord } from './data.ts'
import { StudentForm, StudentSheetPanel } from './print-sheet.tsx'

interface RecordModalProps {
  /** null: closed */
  id: string | null
  title: string | ((id: string) => ReactNode)
  size?: 'md' | 'lg'
  /** In a ModalFoot; else there is one to close it. */
  hasButtons?: boolean
  onClose: () => void
  children: (id: string) => ReactNode
}

export function RecordModal({
  id: opened,
  title,
  size = 'md',
  hasButtons,
  onClose,
  children,
}: RecordModalProps) {
  const { shown: id, key } = useLastShown(opened)
  return (
    <Modal
      open={opened !== null}
      onClose={onClose}
      title={typeof title === 'string' ? title : id && title(id)}
      size={size}
      footer={
        !hasButtons && (
          <Button variant="outline" size="sm" onClick={onClose}>
            Close
          </Button>
        )
      }
    >
      {id && <Fragment key={key}>{children(id)}</Fragment>}
    </Modal>
  )
}

interface RecordProps {
  id: string
  children: (student: StudentView) => ReactNode
}

function Loaded({ id, children }: RecordProps) {
  const query = useStudentRecord(id)
  const failure = failureOf(query)
  if (failure !== null) return <ErrorBanner message={failure} onRetry={() => void query.refetch()} />
  return query.data ? children(query.data) : <Loading what="the record" lines={6} className="h-16" />
}

/** The printable form, spec §2 "Archived students page". */
export function StudentFormModal({ id, onClose }: Pick<RecordModalProps, 'id' | 'onClose'>) {
  return (
    <RecordModal id={id} title={(shown) => <FormTitle id={shown} />} size="lg" onClose={onClose}>
      {(shown) => <Loaded id={shown}>{(student) => <StudentForm student={student} />}</Loaded>}
    </RecordModal>
  )
}

function FormTitle({ id }: { id: string }) {
  const { data } = useStudentRecord(id)
  return data ? `Student Form - ${data.firstName} ${data.lastName}` : 'Student Form'
}

interface StudentDetailsProps extends Pick<RecordModalProps, 'id' | 'onClose'> {
  renderMail: (student: StudentRecord) => ReactNode
  onCompare: (id: string) => void
}

/** The modal 'Student Details' (spec §2). */
export function StudentDetails({ id, onClose, ...body }: StudentDetailsProps) {
  return (
    <RecordModal id={id} title="Student Details" size="lg" onClose={onClose}>
      {(shown) => <Loaded id={shown}>{(student) => <Details student={student} {...body} />}</Loaded>}
    </RecordModal>
  )
}

function Details({
  student,
  renderMail,
  onCompare,
}: Omit<StudentDetailsProps, 'id' | 'onClose'> & { student: StudentView }) {
  const texts = useInstantTexts()
  return (
    <div className="grid gap-6">
      {student.isDuplicate && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border border-warning bg-warning-soft px-4 py-3">
          <p className="min-w-0 flex-1 basis-60 text-sm font-medium text-warning">
            Another record may belong to the same person.
          </p>
          <Button variant="outline" size="sm" icon={CopyCheck} onClick={() => onCompare(student.id)}>
            Compare records
          </Button>
        </div>
      )}
      <StudentSheetPanel student={student} />
      {studentSections.map(({ title, members }) => (
        <section key={title}>
          <h3 className="border-b pb-1 font-semibold text-primary">{title}</h3>
          <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-3 sm:gap-x-6 md:grid-cols-3">
            {members.map((member) => {
              const { label, value } = detailOf(student, member, texts)
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
      {renderMail(student)}
    </div>
  )
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

export function detailOf(student: StudentRecord, member: StudentField | RecordMember, texts: InstantTexts) {
  const label = isRecordMember(member) ? memberLabels[member] : fieldDefinition(member).label
  return { label, value: orMissing(textOf(student, member, texts)) }
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
