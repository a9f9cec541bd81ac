import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { EnrolmentsTable, Queryable, StudentsTable } from '#server/database/schema.ts'
import { searchCondition } from '#server/database/student-search.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import {
  type EnrolmentOrder,
  type EnrolmentSort,
  enrolmentOrders,
  type MissingOfEnrolment,
} from '#shared/terms/enrolments.ts'
import type { EnrolmentEntry, EnrolmentStatus, Level, Outcome } from '#shared/terms/terms.ts'
import { unplacedStudents } from './placing-repository.ts'

export interface EnrolmentFilters {
  // Or 'all', as the level and the status.
  component: string
  level: string
  section?: string | undefined
  status: EnrolmentStatus | 'all'
  missing: MissingOfEnrolment
  outcome: Outcome | 'all'
  search: string
  sort: EnrolmentSort
}

export interface Window {
  offset: number
  limit: number
}

const listedColumns = [
  'id',
  'lastName',
  'firstName',
  'middleName',
  'extensionName',
  'studentId',
  'course',
  'sex',
  'contactNumber',
  'academicYear',
  'restriction',
] as const satisfies readonly (keyof StudentsTable)[]

export type ListedStudent = Pick<Selectable<StudentsTable>, (typeof listedColumns)[number]>

interface EnrolmentRow extends Omit<Selectable<EnrolmentsTable>, 'termId' | 'percent' | 'parts'> {
  unit: string | null
  section: string | null
}

interface UnplacedRow {
  id: string
  // Of who is enrolled already, without a section.
  enrolmentId: string | null
  version: number | null
  entry: EnrolmentEntry
}

const missingValues: Record<Exclude<MissingOfEnrolment, 'none'>, RawBuilder<SqlBool>> = {
  section: sql`enrolments.section_id is null`,
  official: sql`enrolments.official_at is null`,
  mark: sql`enrolments.outcome = 'none'`,
}

const orders: Record<EnrolmentOrder, string> = {
  name: 'sort_name',
  studentId: 'students.student_id',
  course: 'course',
  sex: 'sex',
  section: 'sections.position',
  entry: 'enrolments.entry',
}

/** The id comes last, so that nobody is on two pages or on none. */
function orderOf(sort: EnrolmentSort): RawBuilder<unknown> {
  const order = enrolmentOrders.find((name) => sort === name || sort === `-${name}`) ?? 'name'
  const direction = sort.startsWith('-') ? ' desc nulls last' : ''
  return sql.raw(`${orders[order]}${direction}, sort_name, enrolments.id`)
}

/** Of what is in scope. */
export function createEnrolmentListRepository(db: Queryable, access: Access) {
  function isListed(
    termId: string,
    { component, level, section, status, missing, outcome, search }: EnrolmentFilters,
  ): RawBuilder<SqlBool> {
    return allOf(
      sql`enrolments.term_id = ${termId}`,
      inScope(access, { component, column: 'enrolments.component' }),
      level === 'all' ? undefined : sql`enrolments.level = ${Number(level)}`,
      section === undefined ? undefined : sql`enrolments.section_id = ${section}`,
      status === 'all' ? undefined : sql`enrolments.status = ${status}`,
      missing === 'none' ? undefined : missingValues[missing],
      outcome === 'all' ? undefined : sql`enrolments.outcome = ${outcome}`,
      // Index: student_search_words.
      search === ''
        ? undefined
        : sql`enrolments.student_id in (select id from student_search where ${searchCondition(search, access)})`,
    )
  }

  return {
    /** Indexes: enrolments_section for a section, else enrolments_term; students_pkey. */
    async list(
      termId: string,
      filters: EnrolmentFilters,
      { offset, limit }: Window,
    ): Promise<EnrolmentRow[]> {
      const { rows } = await sql<EnrolmentRow>`
        select enrolments.id, enrolments.version, enrolments.student_id, enrolments.component, enrolments.level,
          section_id, unit, sections.name as section, enrolments.status, status_on, reason, entry, school, official_at, mark, outcome
        from enrolments
          join students on students.id = enrolments.student_id
          left join sections on sections.id = section_id
        where ${isListed(termId, filters)}
        order by ${orderOf(filters.sort)} limit ${limit} offset ${offset}`.execute(db)
      return rows
    },

    /** Indexes: the same. */
    async count(termId: string, filters: EnrolmentFilters): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from enrolments where ${isListed(termId, filters)}`.execute(db)
      return rows[0]?.count ?? 0
    },

    /** Who waits to be placed, in the order of names, and how many there are: of one moment, looked for once. */
    async listUnplaced(
      term: { id: string; academicYear: string },
      cell: { component: NstpComponent; level: Level },
      { offset, limit }: Window,
    ): Promise<{ rows: UnplacedRow[]; total: number }> {
      const { rows: found } = await sql<{ rows: UnplacedRow[]; total: number }>`
        with waiting as materialized (${unplacedStudents(term, cell, access)})
        select (select count(*)::int from waiting) as total,
          (
            select coalesce(jsonb_agg(jsonb_build_object('id', id, 'enrolmentId', enrolment_id,
              'version', enrolment_version, 'entry', entry) order by sort_name, id), '[]')
            from (select * from waiting order by sort_name, id limit ${limit} offset ${offset}) page
          ) as rows`.execute(db)
      return found[0] ?? { rows: [], total: 0 }
    },

    /** Of enrolments that were found in scope. Index: students_pkey. */
    async students(ids: readonly string[]): Promise<Map<string, Visible<ListedStudent>>> {
      const rows = await db
        .selectFrom('students')
        .select(listedColumns)
        .where(sql<SqlBool>`id = any(${[...ids]}::uuid[])`)
        .execute()
      return new Map(rows.map((row) => [row.id, visible(row, access)]))
    },
  }
}
