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
const columns = [...meta, ...studentFieldNames.map(toColumn), 'submission_key', 'submission_hash']

/**
 * A second sending waits at the key for the first one's commit and then inserts nothing. Named, so that each
 * connection prepares it once: registrations come by the thousand on enrolment day.
 *
 * Index: students_submission_key.
 */
const insertStudent = {
  name: 'insert-student',
  text: `
    insert into students (${columns})
    values (${columns.map((_column, index) => `$${index + 1}`)})
    on conflict (submission_key) where submission_key is not null do nothing`,
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
      values.push(submission?.key ?? null, submission?.requestHash ?? null)
      try {
        const { rowCount } = await retryConflicts(() => pool.query({ ...insertStudent, values }))
        return rowCount === 1 ? 'stored' : 'key taken'
      } catch (error) {
        if (isReferenceTaken(error)) return 'reference taken'
        throw error
      }
    },

    /** What was registered under a key; undefined when the record has been erased since. */
    async findByKey(key: string): Promise<EarlierRegistration | undefined> {
      // Index: students_submission_key.
      const { rows } = await pool.query<EarlierRegistration>(
        `select id, reference, registration_date as "registrationDate", submission_hash as "requestHash"
         from students where submission_key = $1`,
        [key],
      )
      return rows[0]
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
