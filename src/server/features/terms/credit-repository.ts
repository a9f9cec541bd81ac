import { type Insertable, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { CreditGround, CreditKind } from '#shared/terms/credits.ts'
import type {
  EnrolmentChange,
  EnrolmentEntry,
  EnrolmentStatus,
  Level,
  Outcome,
  Semester,
  TermState,
} from '#shared/terms/terms.ts'

export interface CreditRow {
  id: string
  kind: CreditKind
  level: Level | null
  component: NstpComponent | null
  school: string
  academicYear: string
  mark: string
  ground: CreditGround
  evidence: string
  by: string | null
  at: Date
  revokedAt: Date | null
  revokedBy: string | null
  revokeReason: string
}

export interface ProgramEnrolment {
  id: string
  version: number
  component: NstpComponent
  level: Level
  sectionId: string | null
  unit: string | null
  section: string | null
  status: EnrolmentStatus
  statusOn: string
  reason: string
  entry: EnrolmentEntry
  school: string
  officialAt: Date | null
  mark: string
  outcome: Outcome
  termId: string
  academicYear: string
  semester: Semester
  state: TermState
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
  }
}

/** Give it the transaction of a change. */
export function createCreditsRepository(tx: Queryable) {
  return {
    insert: (credit: Insertable<Tables['credits']>) => tx.insertInto('credits').values(credit).execute(),

    // Index: credits_pkey.
    async find(
      id: string,
    ): Promise<{ studentId: string; kind: CreditKind; level: Level | null } | undefined> {
      const { rows } = await sql<{ studentId: string; kind: CreditKind; level: Level | null }>`
        select student_id, kind, level from credits where id = ${id} and revoked_at is null`.execute(tx)
      return rows[0]
    },

    async revoke(id: string, { at, byId, reason }: { at: Date; byId: string | null; reason: string }) {
      await sql`
        update credits set revoked_at = ${at}, revoked_by_id = ${byId}::uuid, revoke_reason = ${reason}
        where id = ${id}`.execute(tx)
    },

    /** What two students can't both have when they are one. Index: credits_student. */
    async findClash(from: string, to: string): Promise<{ level: Level | null } | undefined> {
      const { rows } = await sql<{ level: Level | null }>`
        select one.level from credits one join credits other on other.level is not distinct from one.level
        where one.student_id = ${from} and other.student_id = ${to}
          and one.revoked_at is null and other.revoked_at is null limit 1`.execute(tx)
      return rows[0]
    },

    /** @param ids only these; without them all. @returns the ids of what was moved. Index: credits_student. */
    async giveTo(to: string, { from, ids }: { from: string; ids?: readonly string[] }): Promise<string[]> {
      const isMoved = allOf(sql`student_id = ${from}`, ids && sql`id = any(${[...ids]}::uuid[])`)
      const { rows } = await sql<{ id: string }>`
        update credits set student_id = ${to} where ${isMoved} returning id`.execute(tx)
      return rows.map(({ id }) => id)
    },
  }
}
