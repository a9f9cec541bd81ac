import { ArchiveRestore, FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import {
  type LoadedRecord,
  archiveListConfig as place,
  type StudentsData,
  useStudentsNavigation,
  useStudentsQuery,
} from './data.ts'
import { ListBody, ListHead } from './list-frame.tsx'
import { PrintButton } from './print-export.tsx'
import { StudentForm } from './print-sheet.tsx'
import {
  type ActionsOf,
  DeleteStudentModal,
  loadedRecordOf,
  openedFrom,
  useQuestion,
  useRecordActions,
  useRowFocusBack,
} from './record-actions.tsx'
import { archiveLayout as layout, StudentFilterBar } from './student-filters.tsx'

/** Spec §2 "Archived students page". */
export function ArchivedStudents() {
  const query = useStudentsQuery(place)
  return (
    <TabFrame query={query} failure="Failed to load archived students">
      <ArchiveContent data={query.data ?? null} failed={query.isError} />
    </TabFrame>
  )
}

function ArchiveContent({ data, failed }: { data: StudentsData | null; failed: boolean }) {
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
        // Without data the modal would hide the error.
        id={opened?.as === 'form' && (data || !failed) ? opened.id : null}
        loaded={loadedRecordOf(data, opened)}
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
  loaded: LoadedRecord | null
  onClose: () => void
}

/** The printable form, spec §2 "Archived students page". */
function FormModal({ id, loaded, onClose }: FormModalProps) {
  // Keeps the content while the modal fades out.
  const [last, setLast] = useState({ id, loaded })
  if (id !== null && (last.id !== id || last.loaded !== loaded)) setLast({ id, loaded })
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title={titleOf(last.loaded)}
      size="lg"
      footer={
        <Button variant="outline" size="sm" onClick={onClose}>
          Close
        </Button>
      }
    >
      <FormBody loaded={last.loaded} />
    </Modal>
  )
}

function titleOf(loaded: LoadedRecord | null): string {
  if (!loaded || !('record' in loaded)) return 'Student Form'
  const { firstName, lastName } = loaded.record
  return `Student Form - ${firstName} ${lastName}`
}

function FormBody({ loaded }: Pick<FormModalProps, 'loaded'>) {
  if (!loaded) {
    return (
      <div role="status">
        <span className="sr-only">Loading the student's form</span>
        <Skeleton className="h-96 w-full" />
      </div>
    )
  }
  return 'failure' in loaded ? (
    <ErrorBanner message={loaded.failure} />
  ) : (
    <StudentForm student={loaded.record} />
  )
}
