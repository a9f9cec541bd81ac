import { type RawBuilder, sql } from 'kysely'
import { type StudentSort, type StudentSortKey, sortParts } from '#shared/students.ts'

/** What stands in the database for each sortable column. E-mail addresses and names compare without case. */
const expressions: Record<StudentSortKey, string> = {
  // Index: students_name.
  name: 'sort_name',
  sex: 'sex',
  course: 'course',
  academicYear: 'academic_year',
  contactNumber: 'contact_number',
  email: 'lower(email)',
  nstpComponent: 'nstp_component',
  status: 'archived',
  emergencyContact: 'lower(emergency_contact_name)',
  // Index: students_registration.
  registrationDate: 'registration_date',
  // Index: students_archived.
  archivedDate: 'archived_date',
}

/** The columns that `student_search` has too. */
const searched: readonly StudentSortKey[] = [
  'name',
  'academicYear',
  'nstpComponent',
  'status',
  'registrationDate',
  'archivedDate',
]

/** Whether `student_search` can give a sort's order by itself. */
export const isSearchOrder = (sort: StudentSort) => searched.includes(sortParts(sort).key)

const indexed: readonly StudentSortKey[] = ['name', 'registrationDate', 'archivedDate']

/**
 * The list's ORDER BY: the wanted column, then names, and always the id last, so that no record can be on two
 * pages or on none.
 */
export function sortOrder(sort: StudentSort): RawBuilder<unknown> {
  const { key, descending } = sortParts(sort)
  const direction = descending ? ' desc' : ''
  // One direction for the indexed orders: then the index gives them, forwards or backwards.
  const rest = indexed.includes(key) ? `students.id${direction}` : 'sort_name, students.id'
  return sql.raw(`${expressions[key]}${direction}, ${rest}`)
}
