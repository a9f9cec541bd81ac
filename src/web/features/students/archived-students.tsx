import { ArchiveRestore, FileText, Trash2 } from 'lucide-react'
import { SmallLink } from '#web/components/button.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { PrintButton } from './print-export.tsx'
import { type ActionsOf, permissionOf } from './record-actions.tsx'
import { StudentFormModal } from './record-modals.tsx'
import { archiveLayout } from './student-columns.tsx'
import { StudentsFrame, useStudentScreen } from './student-list.tsx'
import { ViewMenu } from './view-menu.tsx'

/** Product 11. */
export function ArchivedStudents() {
  const screen = useStudentScreen(archiveLayout)
  const { can } = useAccount()
  const { layout, list, navigation, actions, deleting, idOf } = screen
  const { query } = navigation.address

  const allActionsOf: ActionsOf = (student) => [
    {
      name: 'archive',
      label: 'Unarchive',
      Icon: ArchiveRestore,
      onSelect: () => void actions.unarchive(student.id),
    },
    {
      name: 'form',
      label: 'Print Form',
      Icon: FileText,
      onSelect: () => navigation.open({ as: 'form', id: student.id }),
    },
    { name: 'delete', label: 'Delete', Icon: Trash2, danger: true, onSelect: () => deleting.ask(student) },
  ]
  const actionsOf: ActionsOf = (student) =>
    allActionsOf(student).filter(({ name }) => can(permissionOf[name]))

  return (
    <StudentsFrame
      screen={screen}
      failure="Failed to load archived students"
      deleteVerb="permanently delete"
      actionsOf={actionsOf}
      selection={null}
      tools={
        <>
          <SmallLink to={tabPath('students')}>Back to Students</SmallLink>
          <PrintButton label="Print List" layout={layout} filters={query} isEmpty={list.data?.total === 0} />
          <ViewMenu layout={layout} navigation={navigation} />
        </>
      }
    >
      <StudentFormModal id={idOf('form')} onClose={navigation.close} />
    </StudentsFrame>
  )
}
