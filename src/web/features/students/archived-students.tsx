import { ArchiveRestore, FileText, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { StudentListItem, StudentRecord } from '#shared/students/student.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import {
  archivePlace as place,
  type RecordReading,
  type StudentsData,
  useStudentsNavigation,
} from './data.ts'
import { ListBody, ListHead } from './list-frame.tsx'
import { PrintButton } from './print-export.tsx'
import {
  type ActionsOf,
  DeleteStudentModal,
  openedFrom,
  readingOf,
  useQuestion,
  useRecordActions,
  useRowFocusBack,
} from './record-actions.tsx'
import { archiveLayout as layout, StudentFilterBar } from './student-filters.tsx'

interface ArchivedStudentsProps {
  data: StudentsData | null
  failed: boolean
  renderForm: (student: StudentRecord) => ReactNode
}

/** Spec §2 "Archived students page". */
export function ArchivedStudents({ data, failed, renderForm }: ArchivedStudentsProps) {
  const navigation = useStudentsNavigation(place)
  const { query, opened } = navigation.address
  const texts = useInstantTexts()
  const actions = useRecordActions()
  const deleting = useQuestion<StudentListItem>()
  useRowFocusBack(openedFrom(opened, deleting.about))

  const actionsOf: ActionsOf = (student) => [
    {
      name: 'archive',
      label: 'Unarchive',
      Icon: ArchiveRestore,
      onSelect: () => void actions.unarchive(student.id),
    },
    { name: 'delete', label: 'Delete', Icon: Trash2, danger: true, onSelect: () => deleting.ask(student) },
    {
      name: 'form',
      label: 'Print Form',
      Icon: FileText,
      onSelect: () => navigation.open({ as: 'form', id: student.id }),
    },
  ]

  return (
    <div className="flex flex-col gap-3">
      <ListHead title={layout.title} actions={actions}>
        <ButtonLink variant="outline" size="sm" to={tabPath('students')}>
          Back to Students
        </ButtonLink>
        <PrintButton
          label="Print List"
          layout={layout}
          filters={query}
          isEmpty={data?.list.total === 0}
          texts={texts}
        />
      </ListHead>
      <StudentFilterBar
        place={place}
        layout={layout}
        academicYears={data?.academicYears ?? []}
        query={query}
        onChange={navigation.show}
      />
      <ListBody
        data={data}
        failed={failed}
        place={place}
        layout={layout}
        navigation={navigation}
        actionsOf={actionsOf}
        ownChanges={actions.ownChanges}
        selection={null}
        texts={texts}
      />
      <FormModal
        // Without anything read the modal would hide what went wrong.
        id={opened?.as === 'form' && (data || !failed) ? opened.id : null}
        reading={readingOf(data, opened)}
        renderForm={renderForm}
        onClose={navigation.close}
      />
      <DeleteStudentModal
        student={deleting.about}
        verb="permanently delete"
        isBusy={actions.isBusy}
        onDelete={({ id }) => void actions.remove(id).then(deleting.close)}
        onClose={deleting.close}
      />
    </div>
  )
}

interface FormModalProps {
  id: string | null
  reading: RecordReading | null
  renderForm: (student: StudentRecord) => ReactNode
  onClose: () => void
}

/** The printable form, spec §2 "Archived students page". */
function FormModal({ id, reading, renderForm, onClose }: FormModalProps) {
  // While the modal fades out it still shows whom it showed.
  const [last, setLast] = useState({ id, reading })
  if (id !== null && (last.id !== id || last.reading !== reading)) setLast({ id, reading })
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title={titleOf(last.reading)}
      size="lg"
      footer={
        <Button variant="outline" size="sm" onClick={onClose}>
          Close
        </Button>
      }
    >
      <FormBody reading={last.reading} renderForm={renderForm} />
    </Modal>
  )
}

function titleOf(reading: RecordReading | null): string {
  if (!reading || !('record' in reading)) return 'Student Form'
  const { firstName, lastName } = reading.record
  return `Student Form - ${firstName} ${lastName}`
}

function FormBody({ reading, renderForm }: Pick<FormModalProps, 'reading' | 'renderForm'>) {
  if (!reading) {
    return (
      <div role="status">
        <span className="sr-only">Loading the student's form</span>
        <Skeleton className="h-96 w-full" />
      </div>
    )
  }
  return 'failure' in reading ? <ErrorBanner message={reading.failure} /> : renderForm(reading.record)
}
