import { type RawBuilder, type Selectable, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { EnrolmentsTable, Tables, TermsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Program } from '#shared/terms/program-response.ts'

type StoredCredit = Selectable<Tables['credits']>

// Instants are texts as PostgreSQL writes them, here and below.
export interface CreditRow
  extends Omit<StoredCredit, 'studentId' | 'decidedById' | 'decidedAt' | 'revokedById' | 'revokedAt'> {
  by: string | null
  at: string
  revokedAt: string | null
  revokedBy: string | null
}

export interface ProgramEnrolment
  extends Omit<Selectable<EnrolmentsTable>, 'studentId' | 'officialAt' | 'percent' | 'parts' | 'scores'>,
    Pick<Selectable<TermsTable>, 'academicYear' | 'semester' | 'state'> {
  officialAt: string | null
  unit: string | null
  section: string | null
}

type Change = Program['enrolments'][number]['history'][number] & { enrolmentId: string }

interface ProgramRows {
  reference: string
  enrolments: ProgramEnrolment[]
  changes: Change[]
  credits: CreditRow[]
  papers: Program['papers']
}

// The latest term first. Index: enrolments_student.
const enrolmentsOf = (studentId: string) => sql`
  select own.id, own.version, own.component, own.level, section_id as "sectionId", unit, sections.name as section,
    status, status_on as "statusOn", reason, entry, school, official_at as "officialAt", mark, outcome,
    own.term_id as "termId", academic_year as "academicYear", semester, state
  from enrolments own
    join terms on terms.id = own.term_id
    left join sections on sections.id = section_id
  where student_id = ${studentId}
  order by academic_year desc, semester desc, own.id desc`

// The latest first. Indexes: enrolments_student, enrolment_changes_enrolment.
const changesOf = (studentId: string) => sql`
  select enrolment_id as "enrolmentId", at, display_name as by, what, before - 'parts' as before,
    after - 'parts' as after, change.reason
  from enrolments own
    join enrolment_changes change on change.enrolment_id = own.id
    left join admins on admins.id = by_id
  where student_id = ${studentId} order by at desc, change.id desc`

// The latest first. Index: credits_student.
const creditsOf = (studentId: string) => sql`
  select own.id, kind, level, component, school, academic_year as "academicYear", mark, ground, evidence,
    decided.display_name as by, decided_at as at, revoked_at as "revokedAt", revoked.display_name as "revokedBy",
    revoke_reason as "revokeReason"
  from credits own
    left join admins decided on decided.id = decided_by_id
    left join admins revoked on revoked.id = revoked_by_id
  where student_id = ${studentId} order by decided_at desc, own.id desc`

// The latest first. Index: paper_rows_student.
const papersOf = (studentId: string, { components }: Access) => sql`
  select papers.id, title, state, list, number, serial
  from paper_rows join papers on papers.id = paper_id
  where ${allOf(
    sql`student_id = ${studentId} and list <> 'unlisted'`,
    components === 'all' ? undefined : sql`components <@ ${[...components]}::text[]`,
  )}
  order by frozen_at desc, papers.id, list`

/** The JSON array keeps the order of the rows. */
const listOf = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(line), '[]') from (${rows}) line)`

const nothing = sql`'[]'::json`

/** What one student did of NSTP. One statement, as several would take longer than all the rest of the request. Index: students_pkey. */
export function createProgramReader({ db, queryPrepared }: Pick<AppDatabase, 'db' | 'queryPrepared'>) {
  const plain = db.withoutPlugins()
  return async (studentId: string, access: Access): Promise<ProgramRows | undefined> => {
    const statement = sql<ProgramRows>`
      select reference, ${listOf(enrolmentsOf(studentId))} as enrolments,
        ${access.can('enrolments') ? listOf(changesOf(studentId)) : nothing} as changes,
        ${listOf(creditsOf(studentId))} as credits,
        ${access.can('papers') ? listOf(papersOf(studentId, access)) : nothing} as papers
      from students where ${allOf(sql`id = ${studentId}`, inScope(access))}`
    const { sql: text, parameters } = statement.compile(plain)
    const [found] = await queryPrepared<ProgramRows>(text, parameters)
    return found
  }
}
