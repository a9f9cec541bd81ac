import { type Selectable, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { EnrolmentsTable, Queryable, Tables, TermsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { Program } from '#shared/terms/program-response.ts'
import type { EnrolmentChange } from '#shared/terms/terms.ts'

type StoredCredit = Selectable<Tables['credits']>

export interface CreditRow
  extends Omit<StoredCredit, 'studentId' | 'decidedById' | 'decidedAt' | 'revokedById'> {
  by: string | null
  at: Date
  revokedBy: string | null
}

export interface ProgramEnrolment
  extends Omit<Selectable<EnrolmentsTable>, 'studentId' | 'percent' | 'parts'>,
    Pick<Selectable<TermsTable>, 'academicYear' | 'semester' | 'state'> {
  unit: string | null
  section: string | null
}

interface ChangeRow {
  enrolmentId: string
  at: Date
  by: string | null
  what: EnrolmentChange
  before: Record<string, string | number | null>
  after: Record<string, string | number | null>
  reason: string
}

/** What one student did of NSTP. */
export function createProgramRepository(db: Queryable, access: Access) {
  return {
    // Index: students_pkey.
    async findStudent(id: string): Promise<{ reference: string } | undefined> {
      const { rows } = await sql<{ reference: string }>`
        select reference from students where ${allOf(sql`id = ${id}`, inScope(access))}`.execute(db)
      return rows[0]
    },

    // Lock: nobody else credits the student meanwhile. Index: students_pkey.
    async lockStudent(id: string): Promise<{ reference: string } | undefined> {
      const { rows } = await sql<{ reference: string }>`
        select reference from students where ${allOf(sql`id = ${id}`, inScope(access))} for no key update`.execute(
        db,
      )
      return rows[0]
    },

    /** The latest term first. Index: enrolments_student. */
    async enrolments(studentId: string): Promise<ProgramEnrolment[]> {
      const { rows } = await sql<ProgramEnrolment>`
        select own.id, own.version, own.component, own.level, section_id, unit, sections.name as section, status,
          status_on, reason, entry, school, official_at, mark, outcome, own.term_id, academic_year, semester, state
        from enrolments own
          join terms on terms.id = own.term_id
          left join sections on sections.id = section_id
        where student_id = ${studentId}
        order by academic_year desc, semester desc, own.id desc`.execute(db)
      return rows
    },

    /** The latest first. Indexes: enrolments_student, enrolment_changes_enrolment. */
    async changes(studentId: string): Promise<ChangeRow[]> {
      const { rows } = await sql<ChangeRow>`
        select enrolment_id, at, display_name as by, what, before, after, change.reason
        from enrolments own
          join enrolment_changes change on change.enrolment_id = own.id
          left join admins on admins.id = by_id
        where student_id = ${studentId} order by at desc, change.id desc`.execute(db)
      return rows
    },

    /** The latest first. Index: credits_student. */
    async credits(studentId: string): Promise<CreditRow[]> {
      const { rows } = await sql<CreditRow>`
        select own.id, kind, level, component, school, academic_year, mark, ground, evidence,
          decided.display_name as by, decided_at as at, revoked_at, revoked.display_name as revoked_by, revoke_reason
        from credits own
          left join admins decided on decided.id = decided_by_id
          left join admins revoked on revoked.id = revoked_by_id
        where student_id = ${studentId} order by decided_at desc, own.id desc`.execute(db)
      return rows
    },

    /** The latest first. Index: paper_rows_student. */
    async papers(studentId: string): Promise<Program['papers']> {
      const { components } = access
      const { rows } = await sql<Program['papers'][number]>`
        select papers.id, title, state, list, number, serial
        from paper_rows join papers on papers.id = paper_id
        where ${allOf(
          sql`student_id = ${studentId} and list <> 'unlisted'`,
          components === 'all' ? undefined : sql`components <@ ${[...components]}::text[]`,
        )}
        order by frozen_at desc, papers.id, list`.execute(db)
      return rows
    },
  }
}
