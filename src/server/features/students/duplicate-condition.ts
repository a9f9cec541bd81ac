import { type RawBuilder, type SqlBool, sql } from 'kysely'

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
