import { CopyCheck } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
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
import details from './student-details.json' with { type: 'json' }

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

/** The sections of 'Student Details' (spec §2); every member of a record is in exactly one. */
export const studentSections = details.sections

// Of the members that are not fields of the form.
const memberLabels: Readonly<Record<string, string>> = details.labels

export function detailOf(student: StudentRecord, member: string, { momentOf }: InstantTexts) {
  const { archivedDate } = student
  const texts: Readonly<Record<string, string | number | boolean | null>> = {
    ...student,
    yearLevel: fieldText(student, 'yearLevel'),
    dateOfBirth: fieldText(student, 'dateOfBirth'),
    registrationDate: momentOf(student.registrationDate),
    consentedAt: momentOf(student.consentedAt),
    archivedDate: archivedDate && momentOf(archivedDate),
    archived: student.archived ? 'Yes' : 'No',
  }
  const field = studentFieldNames.find((name) => name === member)
  const label = field ? fieldDefinition(field).label : (memberLabels[member] ?? '')
  return { label, value: orMissing(String(texts[member] ?? '')) }
}

export function fieldText(student: StudentRecord, field: StudentField): string {
  if (field === 'yearLevel') return yearLevelLabel(student.yearLevel)
  return field === 'dateOfBirth' ? dateOf(student.dateOfBirth) : student[field]
}
