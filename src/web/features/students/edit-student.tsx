import { useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { StudentRecord } from '#shared/students/student.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { createStudentEditSchema, editableFields } from '#shared/students/student-edit.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { isConflict, sentenceOf } from '#web/lib/api-problem.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import type { LoadedRecord } from './data.ts'
import { EditFields, type EditValues, editFieldId } from './edit-fields.tsx'

interface EditStudentProps {
  id: string | null
  loaded: LoadedRecord | null
  courses: readonly string[]
  academicYears: readonly string[]
  onFailure: (sentence: string | null) => void
  onSaved: () => void
  onClose: () => void
}

/** Spec §2 "Students tab". */
export function EditStudent({ id, loaded, onClose, ...options }: EditStudentProps) {
  const { record, formKey } = useOpenedRecord(id, loaded)
  // The form renders its buttons into the modal's footer.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="Edit Student"
      footer={<div ref={setFoot} className="contents" />}
    >
      {record ? (
        <EditForm key={formKey} record={record} foot={foot} onClose={onClose} {...options} />
      ) : loaded && 'failure' in loaded ? (
        <ErrorBanner message={loaded.failure} />
      ) : (
        <EditSkeleton />
      )}
    </Modal>
  )
}

/**
 * The record as it was when the form was opened: a later version is handled when the form is saved.
 * While the modal fades out, the last record is still shown.
 */
function useOpenedRecord(id: string | null, loaded: LoadedRecord | null) {
  const read = loaded && 'record' in loaded && loaded.record.id === id ? loaded.record : null
  const [opened, setOpened] = useState<{ id: string | null; record: StudentRecord | null; formKey: number }>({
    id,
    record: read,
    formKey: 0,
  })
  if (id === null && opened.id !== null) setOpened({ ...opened, id })
  else if (id !== opened.id) setOpened({ id, record: read, formKey: opened.formKey + 1 })
  else if (id !== null && !opened.record && read) setOpened({ ...opened, record: read })
  return opened
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

interface EditFormProps extends Omit<EditStudentProps, 'id' | 'loaded'> {
  record: StudentRecord
  foot: HTMLElement | null
}

function EditForm({ record, courses, academicYears, foot, onFailure, onSaved, onClose }: EditFormProps) {
  const timeZone = useProgramTimeZone()
  // What is stored now: its values pass even where they are no longer on offer.
  const stored = useRef(record)
  const form = useEditForm<EditValues, void>({
    values: editValuesOf(record),
    problemsOf: (values) => {
      const registered = calendarDateOf(new Date(record.registrationDate), timeZone)
      const basis = { courses, academicYears, registered, stored: stored.current }
      return problemsOfSchema(createStudentEditSchema(basis), values)
    },
    failed: 'Failed to update student: ',
    controlId: editFieldId,
    staysOpen: ({ search }) => new URLSearchParams(search).get('edit') === record.id,
    record: {
      what: 'record',
      version: record.version,
      labelOf: (field) => fieldDefinition(field).label,
      textOf: (field, values) => (field === 'dateOfBirth' ? dateOf(values[field]) : values[field]),
      async read() {
        stored.current = await callApi(api.students[':id'].$get({ param: { id: record.id } }))
        return { values: editValuesOf(stored.current), version: stored.current.version }
      },
    },
    async send(values, { version, changed }) {
      onFailure(null)
      if (changed.length === 0) return
      try {
        await callApi(
          api.students[':id'].$patch({
            param: { id: record.id },
            header: { 'if-match': `"${version}"` },
            json: Object.fromEntries(changed.map((field) => [field, values[field]])),
          }),
        )
      } catch (error) {
        if (!isConflict(error)) onFailure(`Failed to update student: ${sentenceOf(error)}`)
        throw error
      }
      onSaved()
      showToast({ type: 'success', message: 'Student updated successfully' })
    },
    onSaved: onClose,
  })

  return (
    <>
      <Form form={form}>
        <EditFields
          form={form}
          stored={editValuesOf(stored.current)}
          courses={courses}
          academicYears={academicYears}
        />
      </Form>
      {foot &&
        createPortal(
          <>
            <Button variant="outline" size="sm" onClick={onClose}>
              Cancel
            </Button>
            {/* Not disabled: a disabled button would lose the focus after a failed save. */}
            <Button type="submit" form={form.id} size="sm" aria-disabled={form.phase === 'sending'}>
              {form.phase === 'sending' ? 'Saving…' : 'Save Changes'}
            </Button>
          </>,
          foot,
        )}
    </>
  )
}

function editValuesOf(record: Pick<StudentRecord, StudentField>): EditValues {
  const entries = editableFields.map((field) => [
    field,
    field === 'yearLevel' ? yearLevelLabel(record.yearLevel) : record[field],
  ])
  // The entries have exactly these names.
  return Object.fromEntries(entries) as EditValues
}
