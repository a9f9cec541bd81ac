import { ArchiveRestore, FileText, Trash2 } from 'lucide-react'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { SmallLink } from '#web/components/button.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useStudentList, useStudentsNavigation } from './data.ts'
import { PrintButton } from './print-export.tsx'
import {
  type ActionsOf,
  DeleteStudentModal,
  openedFrom,
  useQuestion,
  useRecordActions,
  useRowFocusBack,
} from './record-actions.tsx'
import { StudentFormModal } from './record-modals.tsx'
import { archiveLayout as layout, StudentFilterBar } from './student-filters.tsx'
import { ListFailure, ListTitle, StudentList } from './student-list.tsx'
import { ViewMenu } from './view-menu.tsx'

/** Spec §2 "Archived students page". */
export function ArchivedStudents() {
  const list = useStudentList(layout)
  const navigation = useStudentsNavigation(layout)
  const { query, opened } = navigation.address
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
    <TabFrame query={list} failure="Failed to load archived students">
      <div className="flex flex-col gap-2 md:-mt-2">
        <ListFailure {...actions} />
        <StudentFilterBar layout={layout} navigation={navigation}>
          <ListTitle>{layout.title}</ListTitle>
        </StudentFilterBar>
        <StudentList
          list={list.data}
          failed={list.isError}
          busy={list.isPlaceholderData}
          layout={layout}
          navigation={navigation}
          actionsOf={actionsOf}
          ownChanges={actions.ownChanges}
          selection={null}
          tools={
            <>
              <SmallLink to={tabPath('students')}>Back to Students</SmallLink>
              <PrintButton
                label="Print List"
                layout={layout}
                filters={query}
                isEmpty={list.data?.total === 0}
              />
              <ViewMenu layout={layout} navigation={navigation} />
            </>
          }
        />
        <StudentFormModal
          // Without data the modal would hide the error.
          id={opened?.as === 'form' && (list.data || !list.isError) ? opened.id : null}
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
    </TabFrame>
  )
}
