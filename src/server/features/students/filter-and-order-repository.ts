import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { allOf, inScope, isUnrestricted, serialKeyOf } from '#server/database/conditions.ts'
import type { Tables } from '#server/database/schema.ts'
import { countedValues, matchesFilters, registeredIn } from '#server/database/student-counts/count-sql.ts'
import { searchCondition } from '#server/database/student-search.ts'
import type { Access } from '#server/lib/access.ts'
import type { InstantRange } from '#shared/periods.ts'
import {
  type MissingFilter,
  type StudentFilters,
  type StudentSort,
  type StudentSortKey,
  sortParts,
} from '#shared/students/students.ts'

export interface StudentSelection extends Omit<StudentFilters, 'period' | 'component' | 'duplicates'> {
  component: string
  access: Access
  registered: InstantRange | null
  ids?: readonly string[] | undefined
  // Leaves out blocked records and those whose consent was withdrawn.
  unrestricted?: boolean
}

/** A record must pass every filter (product 9.1). */
export function isSelected(selection: StudentSelection): RawBuilder<SqlBool> {
  const { search, access } = selection
  return allOf(
    passesFilters(selection),
    search === ''
      ? undefined
      : sql<SqlBool>`students.id in (select id from student_search where ${searchCondition(search, access)})`,
  )
}

/** Filters that only the record itself answers, not the counts or the search table. */
export function hasRecordFilters({
  course,
  sex,
  yearLevel,
  missing,
  network,
  ids,
}: StudentSelection): boolean {
  return (
    [course, sex, yearLevel, network].some((value) => value !== 'all') ||
    missing !== 'none' ||
    ids !== undefined
  )
}

/** The keys of serial numbers that more than one student has, of whichever component. Index: students_serial. */
const sharedSerials = sql`
  select ${serialKeyOf('serial_number')} from students where serial_number <> ''
  group by 1 having count(*) > 1`

const missingValues: Record<Exclude<MissingFilter, 'none'>, RawBuilder<SqlBool>> = {
  studentId: sql`students.student_id = ''`,
  serialNumber: sql`students.serial_number = ''`,
  bloodType: sql`students.blood_type = ''`,
  zipCode: sql`students.zip_code = ''`,
  permission: sql`not ${isUnrestricted()}`,
  ownSerial: sql`(students.serial_number ~ '\\d' and ${serialKeyOf('students.serial_number')} in (${sharedSerials}))`,
  guardian: sql`concat(students.father_name, students.mother_name, students.guardian_name) = ''`,
}

/** The condition of a selection where `students` is the name of `student_search`; without record filters. */
export function matchesSearch(selection: StudentSelection): RawBuilder<SqlBool> {
  return allOf(passesFilters(selection), searchCondition(selection.search, selection.access))
}

function passesFilters(selection: StudentSelection): RawBuilder<SqlBool> {
  const { registered, ids, course, sex, yearLevel, missing, network } = selection
  return allOf(
    matchesFilters(selection),
    registered ? registeredIn(registered) : undefined,
    // Index: the primary key.
    ids ? sql<SqlBool>`students.id = any(${[...ids]}::uuid[])` : undefined,
    course === 'all' ? undefined : sql<SqlBool>`${countedValues.course} = ${course}`,
    sex === 'all' ? undefined : sql<SqlBool>`${countedValues.sex} = ${sex}`,
    yearLevel === 'all' ? undefined : sql<SqlBool>`students.year_level = ${Number(yearLevel)}`,
    missing === 'none' ? undefined : missingValues[missing],
    // No index: a registration would write it. A flood is looked for within hours.
    network === 'all' ? undefined : sql<SqlBool>`students.network = ${network}`,
    selection.unrestricted ? isUnrestricted() : undefined,
  )
}

/** Named as in code by the database, which costs nothing there. */
export function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.raw(names.map((name) => `${columnOf(name)} as "${name}"`).join(', '))
}

const columnOf = (name: string) =>
  `students.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`

export async function rebuildStudentSearch(tx: Transaction<Tables>): Promise<void> {
  await sql`truncate student_search`.execute(tx)
  await sql`insert into student_search select line.* from students, searched(students) line`.execute(tx)
  await sql`analyze student_search`.execute(tx)
}

const expressions: Record<StudentSortKey, string> = {
  // Index: students_name.
  name: 'sort_name',
  studentId: 'lower(student_id)',
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

const searched: readonly StudentSortKey[] = [
  'name',
  'academicYear',
  'nstpComponent',
  'status',
  'registrationDate',
  'archivedDate',
]

export const isSearchOrder = (sort: StudentSort) => searched.includes(sortParts(sort).key)

const indexed: readonly StudentSortKey[] = ['name', 'registrationDate', 'archivedDate']

/** The id comes last, so that no record is on two pages or on none. */
export function sortOrder(sort: StudentSort): RawBuilder<unknown> {
  const { key, descending } = sortParts(sort)
  const direction = descending ? ' desc' : ''
  // Indexed orders have a single direction: then the index gives them, forwards or backwards.
  const rest = indexed.includes(key) ? `students.id${direction}` : 'sort_name, students.id'
  return sql.raw(`${expressions[key]}${direction}, ${rest}`)
}

// Migration 0002.
const keysInOrder = ['name_key', 'email_key', 'student_id_key'] as const

export type DuplicateKey = (typeof keysInOrder)[number]

export function duplicateKeys(access: Access): DuplicateKey[] {
  return keysInOrder.filter((key) => key !== 'email_key' || access.sees('contact'))
}

const alike = (key: DuplicateKey) => sql<SqlBool>`other.${sql.ref(key)} = students.${sql.ref(key)}`

/** Index: the primary key of different_students. */
export const areNotMarkedDifferent = (): RawBuilder<SqlBool> => sql<SqlBool>`not exists (
  select from different_students
  where first_id = least(students.id, other.id) and second_id = greatest(students.id, other.id)
)`

/** Indexes: one for each key. */
export const sharesKey = (access: Access): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(duplicateKeys(access).map(alike), sql` or `)})`

/** The scope of the table that is named `other`. */
export const othersInScope = (access: Access) => inScope(access, { column: 'other.nstp_component' })

/** Key by key, so that each uses its index: students_name_key, students_email_key, students_student_id_key. */
export function hasDuplicate(access: Access): RawBuilder<boolean> {
  const found = duplicateKeys(access).map(
    (key) => sql<SqlBool>`exists (
      select from students other
      where ${allOf(alike(key), sql`other.id <> students.id`, areNotMarkedDifferent(), othersInScope(access))}
    )`,
  )
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}
