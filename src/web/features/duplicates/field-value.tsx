import type { StudentRecord } from '#shared/student.ts'
import { yearLevelLabel } from '#shared/student-choices.ts'
import type { StudentField } from '#shared/student-fields.ts'
import { dateOf } from '#web/lib/calendar-texts.ts'

/** A field of a record as people read it. */
export function FieldValue({ record, field }: { record: StudentRecord; field: StudentField }) {
  const text = textOf(record, field)
  return text === '' ? (
    <span className="text-muted italic">Empty</span>
  ) : (
    <span className="whitespace-pre-line wrap-anywhere">{text}</span>
  )
}

function textOf(record: StudentRecord, field: StudentField): string {
  switch (field) {
    case 'yearLevel':
      return yearLevelLabel(record.yearLevel)
    case 'dateOfBirth':
      return dateOf(record.dateOfBirth)
    default:
      return record[field]
  }
}
