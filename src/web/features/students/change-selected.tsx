import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { fieldChoices } from '#shared/students/student-choices.ts'
import { type BulkField, bulkFields } from '#shared/students/student-edit.ts'
import { fieldDefinition } from '#shared/students/student-fields.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/field.tsx'
import { ModalFoot } from '#web/components/modal.tsx'
import { reading, slowApi } from '#web/lib/api.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { useChoices } from './data.ts'
import type { BulkChange } from './record-actions.tsx'
import { bulkPreviewText } from './student-texts.ts'

interface ChangeSelectedProps {
  ids: readonly string[]
  isBusy: boolean
  onChange: (change: BulkChange) => void
  onClose: () => void
}

export function ChangeSelected({ ids, isBusy, onChange, onClose }: ChangeSelectedProps) {
  // The query's key has this id instead of thousands of student ids.
  const opening = useId()
  const [field, setField] = useState<BulkField>('nstpComponent')
  const [value, setValue] = useState('')
  const courses = useChoices('courses')
  const academicYears = useChoices('academicYears')
  const options = { ...fieldChoices, course: courses.data ?? [], academicYear: academicYears.data ?? [] }[
    field
  ]
  const change = { ids: [...ids], field, value }
  const preview = useQuery({
    queryKey: ['students', 'change', opening, field, value],
    queryFn: reading(slowApi.students.changes.preview.$post, { json: change }),
    enabled: value !== '' && !isBusy,
    gcTime: 0,
  })
  const failed = [courses, academicYears, preview].find((query) => failureOf(query) !== null)
  const count = preview.data?.changes.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <form
      id="change-students"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (count > 0 && !isBusy) onChange(change)
      }}
    >
      <SelectField
        name="change-field"
        label="Field"
        options={bulkFields.map((name) => ({ value: name, label: fieldDefinition(name).label }))}
        value={field}
        onChange={({ target }) => {
          setField(bulkFields.find((name) => name === target.value) ?? field)
          setValue('')
        }}
      />
      <SelectField
        name="change-value"
        label="New Value"
        placeholder="Choose…"
        options={options}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      {failed && <ErrorBanner message={failureOf(failed) ?? ''} onRetry={() => void failed.refetch()} />}
      {/* Always rendered: a status is read out only when it changes. */}
      <p role="status" className="wrap-anywhere empty:hidden">
        {isBusy ? 'Changing…' : preview.data && bulkPreviewText(preview.data, value)}
      </p>
      <ModalFoot>
        <SmallButton disabled={isBusy} onClick={onClose}>
          Cancel
        </SmallButton>
        <Button type="submit" form="change-students" size="sm" disabled={isBusy || count === 0}>
          {count === 0 ? 'Change' : `Change ${countOf(count, 'Student')}`}
        </Button>
      </ModalFoot>
    </form>
  )
}
