import { type ReactNode, useState } from 'react'
import type { StudentRecord } from '#shared/student.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { RecordReading } from './students-data.ts'

interface FormModalProps {
  /** Whose form is open, null for nobody's. */
  id: string | null
  /** What is known of them; null while it is being read. */
  reading: RecordReading | null
  renderForm: (student: StudentRecord) => ReactNode
  onClose: () => void
}

/** The modal with a student's printable form (spec §2 "Archived students page"). */
export function FormModal({ id, reading, renderForm, onClose }: FormModalProps) {
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
