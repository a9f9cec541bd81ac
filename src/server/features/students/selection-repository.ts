import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Tables } from '#server/database/schema.ts'
import { allOf, passes, registeredIn } from '#server/database/student-counts/count-sql.ts'
import type { InstantRange } from '#shared/periods.ts'
import {
  type StudentFilters,
  type StudentSort,
  type StudentSortKey,
  sortParts,
} from '#shared/students/students.ts'

/** The filters with their period worked out, and who may be the same person. */
export interface StudentSelection extends Omit<StudentFilters, 'period' | 'component' | 'duplicates'> {
  /** 'all' or one component. */
  component: string
  registered: InstantRange | null
  /** Only these records; without it, any. */
  amongst?: readonly string[] | undefined
}

/** A record is shown only if it passes every filter (spec §5). */
export function isSelected(selection: StudentSelection): RawBuilder<SqlBool> {
  const { search } = selection
  return allOf(
    passesFilters(selection),
    search === ''
      ? undefined
      : sql<SqlBool>`students.id in (select id from student_search where ${searchCondition(search)})`,
  )
}

/** The same where `students` is the name of `student_search`. */
export function matchesSearch(selection: StudentSelection): RawBuilder<SqlBool> {
  return allOf(passesFilters(selection), searchCondition(selection.search))
}

function passesFilters(selection: StudentSelection): RawBuilder<SqlBool> {
  const { registered, amongst } = selection
  return allOf(
    passes(selection),
    registered ? registeredIn(registered) : undefined,
    // Index: the primary key.
    amongst ? sql<SqlBool>`students.id = any(${[...amongst]}::uuid[])` : undefined,
  )
}

/** Columns of the students table. */
export function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`students.${name}`)))
}

/** Fills `student_search` anew, where triggers didn't see the records come. */
export async function rebuildStudentSearch(tx: Transaction<Tables>): Promise<void> {
  await sql`truncate student_search`.execute(tx)
  await sql`insert into student_search select line.* from students, searched(students) line`.execute(tx)
  await sql`analyze student_search`.execute(tx)
}

/** What stands between two words: spaces, the comma of "Last, First" as the list prints it, a mail program's <>. */
const separators = /[\s,;<>]+/u
/** A word without a letter or digit is only signs. */
const comparable = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u
/** Three letters or digits in a row: what it takes for the trigram index to narrow a search down. */
const indexable = /[\p{L}\p{N}]{3}/u
/** The beginning of every reference, which says nothing about one. */
const referencePrefix = /(?<![\p{L}\p{N}])NSTP[\s-]*(?=[\p{L}\p{N}])/giu
/** The country before a phone number: after a plus always, without it only before a whole mobile number. */
const countryCode =
  /(?<![\p{L}\p{N}])(?:\(?\+\s*63|(?:00)?63(?=[\s()-]*0?9\d\d[\s-]*\d{3}[\s-]*\d{4}(?!\d)))[\s()-]*0?/gu

/**
 * Whether a record holds every word of a search, in any order, each in any of the fields that name a record. On the
 * columns of `student_search` (migration 0015): the function that made them comparable does it with the words, so
 * both sides always agree.
 */
function searchCondition(search: string): RawBuilder<SqlBool> {
  const text = search.normalize('NFC').replace(referencePrefix, '').replace(countryCode, '0')
  const words = new Set(text.split(separators).filter((word) => comparable.test(word)))
  // Signs alone name nobody.
  return words.size === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.join([...words].map(holds), sql` and `)}`
}

function holds(word: string): RawBuilder<SqlBool> {
  const pattern = sql`'%' || searchable(${word}) || '%'`
  // Index: student_search_words. Without a trigram LIKE would read the whole of it and then every record: another
  // collation than the index's keeps such a word away from it.
  const isLike = indexable.test(word) ? sql`like ${pattern}` : sql`collate "C" like ${pattern}`
  const inText = sql<SqlBool>`search_text ${isLike}`
  const inCodes = sql<SqlBool>`search_codes ${isLike}`
  if (word.includes('@')) return inCodes
  return /\p{N}/u.test(word) ? sql<SqlBool>`(${inText} or ${inCodes})` : inText
}

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

/** What two records of one person may have in common (migration 0008). */
export const duplicateKeys = ['name_key', 'email_key', 'student_id_key'] as const

const alike = (key: (typeof duplicateKeys)[number]) =>
  sql<SqlBool>`other.${sql.ref(key)} = students.${sql.ref(key)}`

/** Whether the pair of `students` and `other` isn't noted as two people. By primary key. */
export const areNotKnownApart = (): RawBuilder<SqlBool> => sql<SqlBool>`not exists (
  select from different_students
  where first_id = least(students.id, other.id) and second_id = greatest(students.id, other.id)
)`

/** Whether `students` and `other` have a key in common. Indexes: one for each key. */
export const sharesKey = (): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(duplicateKeys.map(alike), sql` or `)})`

/**
 * Whether another record may be the same person as `students`. Key by key, so that the database looks each one
 * up in its index: students_name_key, students_email_key, students_student_id_key.
 */
export function hasDuplicate(): RawBuilder<boolean> {
  const found = duplicateKeys.map(
    (key) => sql<SqlBool>`exists (
      select from students other
      where ${alike(key)} and other.id <> students.id and ${areNotKnownApart()}
    )`,
  )
  return sql<boolean>`(${sql.join(found, sql` or `)})`
}
