import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import { codeOf } from '#server/database/errors.ts'
import { createGroupCommit } from '#server/database/group-commit.ts'
import { retryConflicts } from '#server/database/pool.ts'
import { messageRow, type NewMessage } from '#server/features/mail/ledger-repository.ts'
import type { Submission } from '#server/lib/idempotency.ts'
import type { Registration } from '#shared/registration/registration.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'

const alphabet = '23456789ABCDEFGHJKLMNPQRSTWXYZ'
const length = 8

/** NSTP-XXXX-XXXX, one of 6 × 10¹¹: not guessable. */
export function createReference(): string {
  const characters = Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `NSTP-${characters.slice(0, 4)}-${characters.slice(4)}`
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

// Their types in PostgreSQL, where they are no text.
const types: Readonly<Record<string, string>> = { dateOfBirth: 'date', yearLevel: 'smallint' }
const fields = studentFieldNames.map((name) => ({
  column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  member: `"${name}"`,
  type: types[name] ?? 'text',
}))

// Each student with the mail, or neither. Races: a second submission of a key, in this statement or another, waits for
// the first one's commit and inserts nothing. Statements lock keys, then mailboxes, each in order, so that two never
// wait for each other; `due` is materialized because may_welcome locks. Named, so that each connection prepares it
// once. Indexes: students_submission_key, mail_messages_welcome.
const insertStudents = {
  name: 'insert-students',
  text: `
    with registered as (
      insert into students (
        id, reference, registration_date, consented_at, consent_version, guardian_consented_at,
        submission_key, submission_hash,
        ${fields.map(({ column }) => column)}
      )
      select id, reference, "registrationDate", "registrationDate", "consentVersion",
        case when "guardianConsent" then "registrationDate" end, "submissionKey",
        "submissionHash", ${fields.map(({ member }) => member)}
      from json_to_recordset($1) as submitted (
        id uuid, reference text, "registrationDate" timestamptz, "consentVersion" text, "submissionKey" text,
        "submissionHash" text, registration json
      ), json_to_record(registration) as form ("guardianConsent" boolean, ${fields.map(({ member, type }) => `${member} ${type}`)})
      order by "submissionKey"
      on conflict (submission_key) where submission_key is not null do nothing
      returning id
    ),
    due as materialized (
      select mail.*
      from json_to_recordset($2) as mail (
        id uuid, "studentId" uuid, recipient text, subject text, content jsonb, priority smallint,
        "createdAt" timestamptz, "notBefore" timestamptz, since timestamptz, most integer
      )
      join registered on registered.id = "studentId"
      order by mailbox_of(recipient)
    ),
    welcome as (
      insert into mail_messages (
        kind, id, student_id, recipient, subject, content, priority, created_at, not_before
      )
      select 'welcome', id, "studentId", recipient, subject, content, priority, "createdAt", "notBefore"
      from due where may_welcome(recipient, since, most)
      returning id, student_id
    )
    select registered.id, welcome.id as "welcomeId"
    from registered left join welcome on welcome.student_id = registered.id`,
}

interface Row {
  student: NewStudent
  submission: Submission | null
  welcome: BoundedMessage | null
}

// SQLSTATEs behind a pooler that gives each transaction another connection (PgBouncer): the prepared statement is
// missing, or another client's. Nothing was executed then.
const lacksPrepared = new Set<string | undefined>(['26000', '42P05'])

export function createRegistrationRepository(pool: Pool) {
  let canPrepare = true

  async function insertPrepared(values: readonly string[]) {
    const { name, text } = insertStudents
    const isPrepared = canPrepare
    try {
      return await pool.query<{ id: string; welcomeId: string | null }>({
        ...(isPrepared ? { name } : {}),
        text,
        values: [...values],
      })
    } catch (error) {
      if (!isPrepared || !lacksPrepared.has(codeOf(error))) throw error
      canPrepare = false
      return insertPrepared(values)
    }
  }

  const insert = createGroupCommit(async (rows: readonly Row[]): Promise<StoreOutcome[]> => {
    const students = rows.map(({ student, submission }) => ({ ...student, ...submission }))
    const values = [JSON.stringify(students), JSON.stringify(rows.flatMap(mailRows))]
    const { rows: stored } = await retryConflicts(() => insertPrepared(values))
    const welcomes = new Map(stored.map(({ id, welcomeId }) => [id, welcomeId]))
    return rows.map(({ student }) => {
      const welcomeId = welcomes.get(student.id)
      return welcomeId === undefined ? { end: 'key taken' } : { end: 'stored', welcomeId }
    })
  })

  return {
    /** Together with those of concurrent requests. */
    async store(row: Row): Promise<StoreOutcome> {
      try {
        return await insert(row)
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

function mailRows({ student, welcome }: Row) {
  if (!welcome) return []
  const { limit, ...message } = welcome
  return [{ ...messageRow(message, student.registrationDate), content: message.content, ...limit }]
}

function isReferenceTaken(error: unknown): boolean {
  return (
    codeOf(error) === '23505' &&
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'students_reference_key'
  )
}
