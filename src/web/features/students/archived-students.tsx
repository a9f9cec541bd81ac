import { ArchiveRestore, FileText, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StudentListItem, StudentRecord } from '#shared/student.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { DeleteStudentModal } from './delete-student-modal.tsx'
import { FormModal } from './form-modal.tsx'
import { ListBody } from './list-body.tsx'
import { ListHead } from './list-head.tsx'
import { archiveLayout as layout } from './list-layouts.tsx'
import { archivePlace as place } from './list-place.ts'
import { openedFrom, readingOf } from './opened-record.ts'
import { PrintButton } from './print-button.tsx'
import type { ActionsOf } from './row-actions.tsx'
import { useRowFocusBack } from './row-focus.ts'
import { StudentFilters } from './student-filters.tsx'
import type { StudentsData } from './students-data.ts'
import { useStudentsNavigation } from './students-navigation.ts'
import { useQuestion } from './use-question.ts'
import { useRecordActions } from './use-record-actions.ts'

interface ArchivedStudentsProps {
  /** What was read last; null while the first of it is being read. */
  data: StudentsData | null
  /** Whether the last reading failed, which stands above the list. */
  failed: boolean
  /** The printable form of a student with its print button, which another feature makes. */
  renderForm: (student: StudentRecord) => ReactNode
}

/** The archived students (spec §2 "Archived students page"). All its state is in the address. */
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
      <StudentFilters
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
