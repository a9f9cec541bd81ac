import { useState } from 'react'
import type { StudentRecord } from '#shared/student.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { EditForm } from './edit-form.tsx'
import type { RecordReading } from './students-data.ts'

interface EditStudentProps {
  /** Whose record is edited, null for nobody's. */
  id: string | null
  /** What is known of it; null while it is being read. */
  reading: RecordReading | null
  courses: readonly string[]
  academicYears: readonly string[]
  onFailure: (sentence: string | null) => void
  onSaved: () => void
  onClose: () => void
}

/** The edit modal (spec §2 "Students tab"). */
export function EditStudent({ id, reading, onClose, ...options }: EditStudentProps) {
  const { record, turn } = useHeldRecord(id, reading)
  // The form knows what its buttons can do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="Edit Student"
      footer={<div ref={setFoot} className="contents" />}
    >
      {record ? (
        <EditForm key={turn} record={record} foot={foot} onClose={onClose} {...options} />
      ) : reading && 'failure' in reading ? (
        <ErrorBanner message={reading.failure} />
      ) : (
        <EditSkeleton />
      )}
    </Modal>
  )
}

/**
 * The record as it was when the form was opened: a later version is met when the form is saved. While the modal
 * fades out it still shows whom it showed.
 */
function useHeldRecord(id: string | null, reading: RecordReading | null) {
  const read = reading && 'record' in reading && reading.record.id === id ? reading.record : null
  const [held, setHeld] = useState<{ id: string | null; record: StudentRecord | null; turn: number }>({
    id,
    record: read,
    turn: 0,
  })
  if (id === null && held.id !== null) setHeld({ ...held, id })
  else if (id !== held.id) setHeld({ id, record: read, turn: held.turn + 1 })
  else if (id !== null && !held.record && read) setHeld({ ...held, record: read })
  return held
}

function EditSkeleton() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2">
      <span className="sr-only">Loading the student's record</span>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((field) => (
        <div key={field} aria-hidden="true" className="grid gap-2">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-11" />
        </div>
      ))}
    </div>
  )
}
