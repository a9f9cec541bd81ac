import { useState } from 'react'
import type { StudentListItem } from '#shared/student.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'

interface DeleteModalProps {
  /** Whose record is asked about, null for nobody's. */
  student: StudentListItem | null
  /** Spec §2: the page of the archived students says 'permanently delete'. */
  verb: 'delete' | 'permanently delete'
  isBusy: boolean
  onDelete: (student: StudentListItem) => void
  onClose: () => void
}

/** Asks before a record is deleted (spec §2). */
export function DeleteModal({ student, verb, isBusy, onDelete, onClose }: DeleteModalProps) {
  // While the modal fades out it still names whom it named.
  const [last, setLast] = useState(student)
  if (student && student !== last) setLast(student)
  if (!last) return null
  return (
    <Modal
      open={student !== null}
      onClose={() => !isBusy && onClose()}
      title="Delete Student"
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" size="sm" disabled={isBusy} onClick={() => onDelete(last)}>
            {isBusy ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    >
      <p className="wrap-anywhere">
        Are you sure you want to {verb} {last.firstName} {last.lastName}'s record? This action cannot be
        undone.
      </p>
    </Modal>
  )
}
