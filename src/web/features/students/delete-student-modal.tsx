import type { StudentListItem } from '#shared/student.ts'
import { DeleteModal } from '#web/components/delete-modal.tsx'

interface DeleteStudentModalProps {
  /** Whose record is asked about, null for nobody's. */
  student: StudentListItem | null
  /** Spec §2: the page of the archived students says 'permanently delete'. */
  verb: 'delete' | 'permanently delete'
  isBusy: boolean
  onDelete: (student: StudentListItem) => void
  onClose: () => void
}

/** Asks before a record is deleted (spec §2). */
export function DeleteStudentModal({ student, verb, ...modal }: DeleteStudentModalProps) {
  return (
    <DeleteModal {...modal} title="Delete Student" thing={student}>
      {({ firstName, lastName }) => (
        <p className="wrap-anywhere">
          Are you sure you want to {verb} {firstName} {lastName}'s record? This action cannot be undone.
        </p>
      )}
    </DeleteModal>
  )
}
