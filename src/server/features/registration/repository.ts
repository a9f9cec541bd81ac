import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { codeOf } from '#server/database/errors.ts'
import { retryConflicts } from '#server/database/pool.ts'
import { messageRow, type NewMessage } from '#server/features/mail/ledger-repository.ts'
import type { Submission } from '#server/lib/idempotency.ts'
import type { Registration } from '#shared/registration/registration.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'

const alphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZ'
// Bytes above this would favour the first characters.
const fairBytes = 256 - (256 % alphabet.length)
const length = 8

/** NSTP-XXXX-XXXX, one of 6 × 10¹¹: not guessable. */
export function createReference(): string {
  let characters = ''
  while (characters.length < length) {
    for (const byte of randomBytes(2 * length)) {
      if (byte < fairBytes) characters += alphabet.charAt(byte % alphabet.length)
    }
  }
  return `NSTP-${characters.slice(0, 4)}-${characters.slice(4, length)}`
}

export interface NewStudent {
  id: string
  reference: string
  registrationDate: Date
  consentVersion: string
  registration: Registration
}

export interface EarlierRegistration {
  id: string
  reference: string
  registrationDate: Date
  submissionHash: string
  welcomeId: string | null
}

export interface BoundedMessage extends NewMessage {
  limit: { since: Date; most: number }
}

export type StoreOutcome =
  | { end: 'stored'; welcomeId: string | null }
  | { end: 'key taken' }
  | { end: 'reference taken' }

const meta = [
  'id',
  'reference',
  'registration_date',
  'consented_at',
  'consent_version',
  'guardian_consented_at',
]
const mailColumns = ['id', 'recipient', 'subject', 'content', 'priority', 'created_at', 'not_before']
const columns = [...meta, ...studentFieldNames.map(toColumn), 'submission_key', 'submission_hash']

// Race: a second submission waits at the key for the first commit, then inserts nothing. Named, so that each connection prepares it once. Index:
// students_submission_key.
const insertStudent = {
  name: 'insert-student',
  text: `${insertion()} returning null::uuid as "welcomeId"`,
}

// One statement: student and mail, or neither. Index: mail_messages_welcome.
const insertWelcomed = {
  name: 'insert-student-with-mail',
  text: `
    with registered as (${insertion()} returning id),
    welcome as (
      insert into mail_messages (kind, student_id, ${mailColumns})
      select 'welcome', registered.id, ${mailColumns.map((_column, index) => `$${columns.length + index + 1}`)}
      from registered where may_welcome(${[2, 8, 9].map((index) => `$${columns.length + index}`)})
      returning id
    )
    select (select id from welcome) as "welcomeId" from registered`,
}

function insertion(): string {
  return `
    insert into students (${columns})
    values (${columns.map((_column, index) => `$${index + 1}`)})
    on conflict (submission_key) where submission_key is not null do nothing`
}

export function createRegistrationRepository(pool: Pool) {
  return {
    async store(
      student: NewStudent,
      submission: Submission | null,
      welcome: BoundedMessage | null,
    ): Promise<StoreOutcome> {
      const values = valuesOf(student, submission)
      if (welcome) values.push(...mailValues(welcome, student.registrationDate))
      const statement = welcome ? insertWelcomed : insertStudent
      try {
        const { rows } = await retryConflicts(() =>
          pool.query<{ welcomeId: string | null }>({ ...statement, values }),
        )
        const [row] = rows
        return row ? { end: 'stored', welcomeId: row.welcomeId } : { end: 'key taken' }
      } catch (error) {
        if (isReferenceTaken(error)) return { end: 'reference taken' }
        throw error
      }
    },

    async findByKey(key: string): Promise<EarlierRegistration | undefined> {
      // Indexes: students_submission_key, mail_messages_student.
      const { rows } = await pool.query<EarlierRegistration>(
        `select id, reference, registration_date as "registrationDate", submission_hash as "submissionHash",
           (select message.id from mail_messages as message
            where message.student_id = students.id and message.kind = 'welcome'
            order by message.created_at limit 1) as "welcomeId"
         from students where submission_key = $1`,
        [key],
      )
      return rows[0]
    },
  }
}

function valuesOf(student: NewStudent, submission: Submission | null): unknown[] {
  const instant = student.registrationDate.toISOString()
  return [
    ...[student.id, student.reference, instant, instant, student.consentVersion],
    student.registration.guardianConsent ? instant : null,
    ...studentFieldNames.map((field) => student.registration[field]),
    ...[submission?.submissionKey ?? null, submission?.submissionHash ?? null],
  ]
}

function mailValues({ limit, ...message }: BoundedMessage, now: Date): unknown[] {
  const { id, recipient, subject, content, priority, createdAt, notBefore } = messageRow(message, now)
  return [id, recipient, subject, content, priority, createdAt, notBefore, limit.since, limit.most]
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
