import type { Pool } from 'pg'
import { codeOf } from '#server/database/errors.ts'
import { retryConflicts } from '#server/database/pool.ts'
import type { Registration } from '#shared/registration.ts'
import { studentFieldNames } from '#shared/student-fields.ts'

/** A registration with what the server adds to it. */
export interface NewStudent {
  id: string
  reference: string
  registrationDate: Date
  consentVersion: string
  registration: Registration
}

/** One sending of the form: its key and what tells a retry from another registration. */
export interface SubmissionKey {
  key: string
  requestHash: string
}

/** What was registered under a key. */
export interface EarlierRegistration {
  id: string
  reference: string
  registrationDate: Date
  requestHash: string
}

export type RegistrationRepository = ReturnType<typeof createRegistrationRepository>

const meta = ['id', 'reference', 'registration_date', 'consented_at', 'consent_version']
const columns = [...meta, ...studentFieldNames.map(toColumn)]
const parameters = columns.map((_column, index) => `$${index + 1}`)
const keyParameter = `$${columns.length + 1}`
const hashParameter = `$${columns.length + 2}`

// Named, so that each connection prepares them once: registrations come by the thousand on enrolment day.
const insertStudent = {
  name: 'insert-student',
  text: `insert into students (${columns}) values (${parameters})`,
}

/**
 * Claims the key and stores the student in one statement, hence one round trip and one commit. A second
 * sending waits at the key for the first one's commit and then inserts nothing. The key's foreign key is
 * checked at the end of the statement, when the student is there.
 */
const insertStudentOnce = {
  name: 'insert-student-once',
  text: `
    with claim as (
      insert into idempotency_keys (key, request_hash, student_id, created_at)
      values (${keyParameter}, ${hashParameter}, $1, $3)
      on conflict (key) do nothing
      returning key
    )
    insert into students (${columns})
    select ${parameters} from claim`,
}

/** Where registrations are kept. */
export function createRegistrationRepository(pool: Pool) {
  return {
    /**
     * Stores a student, once for each key.
     *
     * @returns 'key taken' when something was registered under this key before, 'reference taken' when the
     *   reference belongs to somebody; nothing is stored then
     */
    async store(
      student: NewStudent,
      submission: SubmissionKey | undefined,
    ): Promise<'stored' | 'key taken' | 'reference taken'> {
      const instant = student.registrationDate.toISOString()
      const values: unknown[] = [student.id, student.reference, instant, instant, student.consentVersion]
      for (const field of studentFieldNames) values.push(student.registration[field])
      if (submission) values.push(submission.key, submission.requestHash)
      const statement = submission ? insertStudentOnce : insertStudent
      try {
        const { rowCount } = await retryConflicts(() => pool.query({ ...statement, values }))
        return rowCount === 1 ? 'stored' : 'key taken'
      } catch (error) {
        if (isReferenceTaken(error)) return 'reference taken'
        throw error
      }
    },

    /** What was registered under a key; undefined when the record has been erased since. */
    async findByKey(key: string): Promise<EarlierRegistration | undefined> {
      // Both by primary key.
      const { rows } = await pool.query<EarlierRegistration>(
        `select s.id, s.reference, s.registration_date as "registrationDate", k.request_hash as "requestHash"
         from idempotency_keys k join students s on s.id = k.student_id
         where k.key = $1`,
        [key],
      )
      return rows[0]
    },

    /** Forgets the keys from before an instant; gives their number. */
    async deleteKeysBefore(instant: Date): Promise<number> {
      // Uses idempotency_keys_created.
      const { rowCount } = await pool.query('delete from idempotency_keys where created_at < $1', [instant])
      return rowCount ?? 0
    },
  }
}

function toColumn(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function isReferenceTaken(error: unknown): boolean {
  return (
    codeOf(error) === '23505' &&
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'students_reference_key'
  )
}
