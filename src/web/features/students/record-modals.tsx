import { ArrowDown, ArrowUp, CopyCheck, Ellipsis, History, Mail, Pencil, Phone, Ticket } from 'lucide-react'
import { type ComponentProps, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { restrictionLabels } from '#shared/privacy/privacy.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentRecord, StudentView } from '#shared/students/student-response.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Badge } from '#web/components/badge.tsx'
import { Button, IconButton, SmallButton, SmallLink } from '#web/components/button.tsx'
import { Menu } from '#web/components/menu.tsx'
import { ModalFoot, ModalOf } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { WantedSlips } from '#web/components/slips.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { type Account, useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { type InstantTexts, useInstantTexts } from '#web/lib/date-texts.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useStudentRecord } from './data.ts'
import { StudentForm, StudentSheetPanel } from './print-sheet.tsx'
import type { ActionsOf } from './record-actions.tsx'
import { RecordPrivacy, RestrictionBadge } from './record-privacy.tsx'
import details from './student-details.json' with { type: 'json' }
import { listName, orMissing } from './student-texts.ts'

const SlipsModal = lazyPart(async () => (await import('#web/components/slips.tsx')).SlipsModal)

interface RecordModalProps {
  /** null: closed */
  id: string | null
  title: string | ((id: string) => ReactNode)
  size?: 'side' | 'lg'
  /** Whether the content has its buttons in a ModalFoot. If not, there is a button to close the modal. */
  hasButtons?: boolean
  onClose: () => void
  children: (id: string) => ReactNode
}

export function RecordModal({ id, size = 'side', hasButtons, onClose, ...modal }: RecordModalProps) {
  return (
    <ModalOf
      {...modal}
      thing={id}
      size={size}
      onClose={onClose}
      footer={!hasButtons && <SmallButton onClick={onClose}>Close</SmallButton>}
    />
  )
}

function LoadedRecord({ id, children }: { id: string; children: (student: StudentView) => ReactNode }) {
  return (
    <LoadedPart query={useStudentRecord(id)} what="the record" lines={6} className="h-16">
      {children}
    </LoadedPart>
  )
}

/** The printable form (product 11.4). */
export function StudentFormModal({ id, onClose }: Pick<RecordModalProps, 'id' | 'onClose'>) {
  return (
    <RecordModal id={id} title={(id) => <FormTitle id={id} />} size="lg" onClose={onClose}>
      {(id) => <LoadedRecord id={id}>{(student) => <StudentForm student={student} />}</LoadedRecord>}
    </RecordModal>
  )
}

function FormTitle({ id }: { id: string }) {
  const { data } = useStudentRecord(id)
  return data ? `Student Form - ${data.firstName} ${data.lastName}` : 'Student Form'
}

export interface StudentDetailsProps extends Pick<RecordModalProps, 'id' | 'onClose'> {
  /** The ids of the list's page, in its order. */
  listed: readonly string[]
  renderMail: (student: StudentRecord) => ReactNode
  renderProgram: (student: StudentRecord) => ReactNode
  onShow: (id: string) => void
  onCompare: (id: string) => void
  onEdit: (id: string) => void
  actionsOf: ActionsOf
}

/** The modal 'Student Details' (product 9.6). */
export function StudentDetails(props: StudentDetailsProps) {
  const { id, onClose, listed, onShow, onEdit, actionsOf, ...body } = props
  return (
    <RecordModal id={id} title="Student Details" hasButtons onClose={onClose}>
      {(id) => (
        <>
          <RecordHead id={id} onEdit={onEdit} actionsOf={actionsOf} />
          <LoadedRecord id={id}>{(student) => <Details student={student} {...body} />}</LoadedRecord>
          <ModalFoot>
            <Neighbours listed={listed} id={id} onShow={onShow} />
            <SmallButton onClick={onClose}>Close</SmallButton>
          </ModalFoot>
        </>
      )}
    </RecordModal>
  )
}

/** The buttons to the previous and next student. Alt and the arrow keys do the same: the arrows alone scroll. */
function Neighbours({ listed, id, onShow }: Pick<StudentDetailsProps, 'listed' | 'onShow'> & { id: string }) {
  const place = listed.indexOf(id)
  const steps = [
    { label: 'Previous student', key: 'ArrowUp', icon: ArrowUp, to: listed[place - 1] },
    {
      label: 'Next student',
      key: 'ArrowDown',
      icon: ArrowDown,
      to: place === -1 ? undefined : listed[place + 1],
    },
  ]
  const move = useEffectEvent((event: KeyboardEvent) => {
    const to = event.altKey && steps.find(({ key }) => key === event.key)?.to
    if (!to) return
    event.preventDefault()
    onShow(to)
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => move(event)
    // The dialog stops the event before it gets here.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])
  return (
    <div className="mr-auto flex gap-1">
      {steps.map(({ label, key, icon, to }) => (
        <IconButton
          key={key}
          label={label}
          icon={icon}
          aria-keyshortcuts={`Alt+${key}`}
          aria-disabled={to === undefined}
          onClick={() => to && onShow(to)}
        />
      ))}
    </div>
  )
}

type RecordHeadProps = Pick<StudentDetailsProps, 'onEdit' | 'actionsOf'> & { id: string }

/**
 * What is done with the record, and who it is. Edit is there, and has the focus, before the record is: nothing that comes
 * later moves it away from under a press.
 */
function RecordHead({ id, onEdit, actionsOf }: RecordHeadProps) {
  const { data: student, error } = useStudentRecord(id)
  const { can } = useAccount()
  const [slip, setSlip] = useState<WantedSlips | null>(null)
  if (!student && error) return null
  return (
    <div className="mb-6 flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {can('students.edit') && (
          <Button data-first size="sm" icon={Pencil} onClick={() => onEdit(id)}>
            Edit
          </Button>
        )}
        {student && <Contact student={student} />}
        <MoreActions
          entries={[
            ...(can('history')
              ? [{ label: 'History', icon: History, to: tabPath('audit', { student: id }) }]
              : []),
            ...(student && can('students.take-out')
              ? [
                  {
                    label: 'Print slip',
                    icon: Ticket,
                    onSelect: () =>
                      setSlip({ name: listName(student), count: 1, groups: async () => [[id]] }),
                  },
                ]
              : []),
            ...(student ? actionsOf(student) : [])
              .filter(({ name }) => name === 'archive' || name === 'delete')
              .map(({ label, Icon, danger, onSelect }) => ({ label, icon: Icon, danger, onSelect })),
          ]}
        />
      </div>
      {slip && (
        <Suspense>
          <SlipsModal wanted={slip} onClose={() => setSlip(null)} />
        </Suspense>
      )}
      {student ? <Identity student={student} /> : <Skeleton className="h-13 w-56" />}
    </div>
  )
}

function MoreActions({ entries }: Pick<ComponentProps<typeof Menu>, 'entries'>) {
  if (entries.length === 0) return null
  return (
    <Menu
      trigger={<IconButton label="More actions" icon={Ellipsis} className="ml-auto" />}
      entries={entries}
    />
  )
}

function Identity({ student }: { student: StudentView }) {
  return (
    <div className="min-w-0">
      <p className="text-xl font-bold wrap-anywhere">{listName(student)}</p>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
        {student.reference}
        <Badge>{orMissing(student.nstpComponent)}</Badge>
        {student.archived && <Badge tone="warning">Archived</Badge>}
        <RestrictionBadge restriction={student.restriction} />
      </p>
    </div>
  )
}

function Contact({ student: { email, contactNumber } }: { student: StudentView }) {
  const { can, id } = useAccount()
  return (
    <>
      {email !== '' && can('mail') && (
        // The e-mail address is in the history's state, because the page's address would keep whose e-mail it is.
        <SmallLink icon={Mail} to={tabPath('email')} state={{ to: email, by: id }}>
          E-mail
        </SmallLink>
      )}
      {contactNumber !== '' && (
        <SmallLink icon={Phone} to={`tel:${contactNumber}`} reloadDocument>
          Call
        </SmallLink>
      )}
    </>
  )
}

function Details({
  student,
  renderMail,
  renderProgram,
  onCompare,
}: Pick<StudentDetailsProps, 'renderMail' | 'renderProgram' | 'onCompare'> & { student: StudentView }) {
  const texts = useInstantTexts()
  const { can, sees, seesAll } = useAccount()
  return (
    <div className="grid gap-6">
      {student.isDuplicate && can('students.change') && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border border-warning bg-warning-soft px-4 py-3">
          <p className="min-w-0 flex-1 basis-60 text-sm font-medium text-warning">
            Another record may belong to the same person.
          </p>
          <SmallButton icon={CopyCheck} onClick={() => onCompare(student.id)}>
            Compare records
          </SmallButton>
        </div>
      )}
      {seesAll && <StudentSheetPanel student={student} />}
      {renderProgram(student)}
      {shownSections(sees).map(({ title, members }) => (
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
      {can('mail') && renderMail(student)}
      {can('privacy') && <RecordPrivacy student={student} />}
    </div>
  )
}

/** The sections of 'Student Details'; every member of a record is in exactly one. */
export const studentSections = details.sections

function shownSections(sees: Account['sees']) {
  const sections = studentSections.map(({ title, members }) => ({ title, members: members.filter(sees) }))
  return sections.filter(({ members }) => members.length > 0)
}

// The labels of the members that are not fields of the form.
const memberLabels: Readonly<Record<string, string>> = details.labels

export function detailOf(student: StudentRecord, member: string, { momentOf }: InstantTexts) {
  const { archivedDate, consentedAt, guardianConsentedAt, restriction } = student
  const texts: Readonly<Record<string, string | number | boolean | null>> = {
    ...student,
    yearLevel: fieldText(student, 'yearLevel'),
    dateOfBirth: fieldText(student, 'dateOfBirth'),
    registrationDate: momentOf(student.registrationDate),
    consentedAt: consentedAt && momentOf(consentedAt),
    guardianConsentedAt: guardianConsentedAt && momentOf(guardianConsentedAt),
    restriction: restriction ? restrictionLabels[restriction] : 'None',
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
