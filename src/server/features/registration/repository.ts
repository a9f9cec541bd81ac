import { sql } from 'kysely'
import { codeOf } from '#server/database/errors.ts'
import { createGroupCommit } from '#server/database/group-commit.ts'
import { type AppDatabase, retryConflicts } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { messageRow, type NewMessage } from '#server/features/mail/ledger-repository.ts'
import { createCode } from '#server/lib/code.ts'
import type { Submission } from '#server/lib/idempotency.ts'
import type { Registration } from '#shared/registration/registration.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'

/** NSTP-XXXX-XXXX, one of 6 × 10¹¹: not guessable. */
export function createReference(): string {
  const code = createCode(8)
  return `NSTP-${code.slice(0, 4)}-${code.slice(4)}`
}

export interface NewStudent {
  id: string
  reference: string
  registrationDate: Date
  consentVersion: string
  network: string | null
  registration: Registration
}

export interface EarlierRegistration {
  id: string
  reference: string
  registrationDate: Date
  submissionHash: string
  email: string
  welcomeId: string | null
}

interface BoundedMessage extends NewMessage {
  limit: { since: Date; most: number }
}

export type StoreOutcome =
  | { end: 'stored'; welcomeId: string | null }
  | { end: 'key taken' }
  | { end: 'full' }
  | { end: 'reference taken' }

// The PostgreSQL types of fields that aren't text.
const types: Readonly<Record<string, string>> = { dateOfBirth: 'date', yearLevel: 'smallint' }
const fields = studentFieldNames.map((name) => ({
  column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  member: `"${name}"`,
  type: types[name] ?? 'text',
}))

export type Quotas = Settings['quotas']

const hasQuota = (quotas: Quotas) => Object.values(quotas).some((quota) => quota !== null)

// Counts the places that are taken: rejected and deleted records don't count, archived ones do. Index:
// student_counts_pkey.
const taken = `
  select nstp_component, academic_year, sum(n)::int as n from (
    select nstp_component, academic_year, n from student_counts where grain = 'all' and facet = 'total'
    union all
    select nstp_component, academic_year, n from student_count_changes
  ) as counts group by 1, 2`

/** The records of the components that have a quota. */
export async function readQuotaUse(db: Queryable, quotas: Quotas) {
  if (!hasQuota(quotas)) return []
  const { rows } = await sql<{ nstpComponent: string; academicYear: string; n: number }>`
    ${sql.raw(taken)}`.execute(db)
  return nstpComponents.flatMap((component) => {
    const quota = quotas[component]
    const own = rows.filter(({ nstpComponent }) => nstpComponent === component)
    return quota === null
      ? []
      : own.map(({ academicYear, n }) => ({ component, academicYear, count: n, quota }))
  })
}

const submitted = `
  json_to_recordset($1) as submitted (
    id uuid, reference text, "registrationDate" timestamptz, "consentVersion" text, "submissionKey" text,
    "submissionHash" text, network text, registration json
  ), json_to_record(registration) as form ("guardianConsent" boolean, ${fields.map(({ member, type }) => `${member} ${type}`)})`

// Rows of one key share a place; a key that has a record needs none.
const withinQuotas = `
  taken as materialized (${taken}),
  numbered as materialized (
    select form.*, submitted.*,
      dense_rank() over (
        partition by "nstpComponent", "academicYear" order by coalesce("submissionKey", submitted.id::text)
      ) > ($3::json ->> "nstpComponent")::int - coalesce(taken.n, 0) as is_full
    from ${submitted}
    left join taken on nstp_component = "nstpComponent" and academic_year = "academicYear"
    where not exists (select from students where submission_key = "submissionKey")
  ),`

// Each student with the mail, or neither. Races: a second submission of a key, in this statement or another, waits for
// the first one's commit and inserts nothing. Statements lock keys, then mailboxes, each in order, so that two never
// wait for each other; `due` is materialized because may_welcome locks. Indexes: students_submission_key,
// mail_messages_welcome.
const insertStudents = (isLimited: boolean) => `
    with ${isLimited ? withinQuotas : ''} registered as (
      insert into students (
        id, reference, registration_date, consented_at, consent_version, guardian_consented_at,
        submission_key, submission_hash, network,
        ${fields.map(({ column }) => column)}
      )
      select id, reference, "registrationDate", "registrationDate", "consentVersion",
        case when "guardianConsent" then "registrationDate" end, "submissionKey",
        "submissionHash", network, ${fields.map(({ member }) => member)}
      from ${isLimited ? 'numbered where is_full is not true' : submitted}
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
    select registered.id, welcome.id as "welcomeId", false as "isFull"
    from registered left join welcome on welcome.student_id = registered.id
    ${isLimited ? 'union all select id, null, true from numbered where is_full' : ''}`

const unlimited = insertStudents(false)
const limited = insertStudents(true)

// Among all processes: each statement counts the records of the one before, because its snapshot begins after the lock.
const quotaLock = 7_191_630_006

interface StoredRow {
  id: string
  welcomeId: string | null
  isFull: boolean
}

interface Row {
  student: NewStudent
  submission: Submission | null
  welcome: BoundedMessage | null
}

export function createRegistrationRepository(
  { pool, queryPrepared }: Pick<AppDatabase, 'pool' | 'queryPrepared'>,
  quotas: () => Quotas,
) {
  async function insertLimited(values: readonly string[]) {
    const client = await pool.connect()
    try {
      await client.query(`begin isolation level read committed; select pg_advisory_xact_lock(${quotaLock})`)
      const { rows } = await client.query<StoredRow>(limited, [...values])
      await client.query('commit')
      client.release()
      return rows
    } catch (error) {
      // The transaction ends with its connection.
      client.release(true)
      throw error
    }
  }

  const insert = createGroupCommit(async (rows: readonly Row[]): Promise<StoreOutcome[]> => {
    const students = rows.map(({ student, submission }) => ({ ...student, ...submission }))
    const values = [JSON.stringify(students), JSON.stringify(rows.flatMap(mailRows))]
    const limits = quotas()
    const answered = await retryConflicts(() =>
      hasQuota(limits)
        ? insertLimited([...values, JSON.stringify(limits)])
        : queryPrepared<StoredRow>(unlimited, values),
    )
    const answers = new Map(answered.map((row) => [row.id, row]))
    return rows.map(({ student }) => {
      const answer = answers.get(student.id)
      if (!answer) return { end: 'key taken' }
      return answer.isFull ? { end: 'full' } : { end: 'stored', welcomeId: answer.welcomeId }
    })
  })

  return {
    /** Stores an enlistment in one statement with those of concurrent requests. */
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
        `select id, reference, registration_date as "registrationDate", submission_hash as "submissionHash", email,
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
