import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { StudentState } from '#shared/my/my-response.ts'

const isOfReference = `(students.reference = $1
  or students.id = (select former.student_id from former_references former where former.reference = $1))`

/** Entries look a record up in one statement each, which is the same whatever is wrong with them. */
export function createEntryReader({ queryPrepared }: Pick<AppDatabase, 'queryPrepared'>) {
  return {
    // Index: students_pkey.
    async referenceOf(id: string): Promise<string | undefined> {
      const [found] = await queryPrepared<{ reference: string }>(
        'select reference from students where id = $1',
        [id],
      )
      return found?.reference
    },

    // Indexes: students_reference_key, students_pkey, former_references_pkey.
    async byBirthDate(reference: string, dateOfBirth: string): Promise<string | undefined> {
      const [found] = await queryPrepared<{ id: string }>(
        `select students.id from students where ${isOfReference} and date_of_birth = $2::date`,
        [reference, dateOfBirth],
      )
      return found?.id
    },

    // Returns no hash of a slip that was made before `madeSince`.
    // Indexes: students_reference_key, students_pkey, former_references_pkey, student_keys_pkey.
    async slipOf(
      reference: string,
      madeSince: Date,
    ): Promise<{ id: string; slipHash: Buffer | null } | undefined> {
      const [found] = await queryPrepared<{ id: string; slipHash: Buffer | null }>(
        `select students.id, keys.slip_hash as "slipHash"
         from students left join student_keys keys on keys.student_id = students.id and keys.slip_made_at >= $2
         where ${isOfReference}`,
        [reference, madeSince],
      )
      return found
    },
  }
}

/**
 * Whether an entry is still right. Race: the record stays as it is until the transaction of its session ends, and one that
 * is changed at the moment (a merge, its undo, a deletion, a new slip) is waited for.
 */
export function createEntryConfirmation(tx: Queryable) {
  async function confirm(id: string, reference: string) {
    // Index: students_pkey.
    const record = tx.selectFrom('students').select('id').where('id', '=', id).forShare()
    if (!(await record.executeTakeFirst())) return null
    // A statement of its own, which sees what was waited for. Indexes: students_pkey, former_references_pkey, student_keys_pkey.
    const { rows } = await sql<{ dateOfBirth: string; slipHash: Buffer | null }>`
      select date_of_birth, slip_hash from students left join student_keys keys on keys.student_id = students.id
      where students.id = ${id} and (students.reference = ${reference} or exists (
        select from former_references former where former.reference = ${reference} and former.student_id = students.id
      ))`.execute(tx)
    return rows[0] ?? null
  }

  return {
    isOfBirthDate: async (id: string, reference: string, dateOfBirth: string): Promise<boolean> =>
      (await confirm(id, reference))?.dateOfBirth === dateOfBirth,

    isOfSlip: async (id: string, reference: string, slipHash: Buffer): Promise<boolean> =>
      (await confirm(id, reference))?.slipHash?.equals(slipHash) ?? false,
  }
}

/** What the first step shows, and the address for a code: words, and no section, day, place, mark, number or value. */
export async function readStudentState(db: Queryable, studentId: string) {
  // Indexes: students_pkey, enrolments_student, student_requests_student, certificates_student.
  const { rows } = await sql<Omit<StudentState, 'mail'> & { email: string }>`
    select email, academic_year, archived, restriction,
      coalesce((
        select case when enrolments.section_id is null then 'waiting' else 'placed' end
        from enrolments join terms on terms.id = enrolments.term_id
        where enrolments.student_id = students.id and enrolments.status = 'enrolled' and terms.state = 'open'
        order by enrolments.level desc limit 1
      ), 'enlisted') as placement,
      (select count(*) from student_requests where student_id = students.id and state = 'open')::int as open_requests,
      exists (select from certificates where student_id = students.id and revoked_at is null) as has_certificate
    from students where id = ${studentId}`.execute(db)
  return rows[0]
}

export interface LostOwner {
  lastName: string
  firstName: string
  dateOfBirth: string
  email: string
}

/**
 * The records of a name, a birth date and an address, newest year first. Names are compared as those of duplicates are
 * (migration 0051), whose key has the academic year in it: each year of a century is looked up. Index: students_name_key.
 */
export async function findLostRecords(tx: Queryable, { lastName, firstName, dateOfBirth, email }: LostOwner) {
  const { rows } = await sql<{ id: string; email: string }>`
    with person as materialized (
      select person_name_key(person_name_part(${lastName}::text), person_name_part(${firstName}::text))
        || E'\x1f' || (${dateOfBirth}::date - date '2000-01-01')::text as key
    )
    select id, email from students
    where name_key = any(array(
        select hashtextextended(person.key || E'\x1f' || year || '-' || year + 1, 0)
        from person, generate_series(2000, 2099) as year
      ))
      and date_of_birth = ${dateOfBirth}::date and lower(email) = lower(${email})
    order by academic_year desc, registration_date desc`.execute(tx)
  return rows
}
