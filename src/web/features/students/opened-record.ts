import type { StudentListItem } from '#shared/student.ts'
import type { RowAction } from './row-actions.tsx'
import type { OpenedFrom } from './row-focus.ts'
import type { OpenRecord } from './student-query.ts'
import type { RecordReading, StudentsData } from './students-data.ts'

/** What was read of the open record; null while it is on its way. */
export function readingOf(data: StudentsData | null, opened: OpenRecord | null): RecordReading | null {
  return data && opened && data.address.opened?.id === opened.id ? data.record : null
}

const buttons = {
  details: 'view',
  edit: 'edit',
  form: 'form',
  duplicates: 'duplicates',
} as const satisfies Record<OpenRecord['as'], RowAction['name']>

/** The row's button that leads to what is open: to a record, or to the question whether to delete one. */
export function openedFrom(opened: OpenRecord | null, deleting: StudentListItem | null): OpenedFrom | null {
  if (opened) return { action: buttons[opened.as], student: opened.id }
  return deleting && { action: 'delete', student: deleting.id }
}
