import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { EnrolmentsTable, StudentsTable, TermsTable } from '#server/database/schema.ts'
import { searchCondition } from '#server/database/student-search.ts'
import type { Access } from '#server/lib/access.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import { maxPageSize } from '#shared/students/students.ts'
import {
  type EnrolmentOrder,
  type EnrolmentSort,
  enrolmentOrders,
  type MissingOfEnrolment,
} from '#shared/terms/enrolments.ts'
import type { EnrolmentEntry, EnrolmentStatus, Level, Outcome } from '#shared/terms/terms.ts'
import { unplacedStudents } from './placing-repository.ts'
import { type ListedStudent, studentColumns } from './repository.ts'

export interface EnrolmentFilters {
  // Component, level and status can be 'all'.
  component: string
  level: string
  section?: string | undefined
  status: EnrolmentStatus | 'all'
  missing: MissingOfEnrolment
  outcome: Outcome | 'all'
  // Only these records.
  studentIds?: readonly string[] | undefined
  search: string
  sort: EnrolmentSort
}

export interface Window {
  offset: number
  limit: number
}

const yearColumns = sql`${studentColumns}, students.academic_year as "academicYear"`

type YearStudent = ListedStudent & Pick<Selectable<StudentsTable>, 'academicYear'>

interface EnrolmentRow
  extends YearStudent,
    Omit<Selectable<EnrolmentsTable>, 'id' | 'termId' | 'studentId' | 'percent' | 'parts' | 'scores'>,
    Pick<Selectable<TermsTable>, 'semester'> {
  enrolmentId: string
  unit: string | null
  section: string | null
  termYear: string
  total: number
}

interface UnplacedRow extends YearStudent {
  // The enrolment of a student who is enrolled without a section; null for one who isn't enrolled.
  enrolmentId: string | null
  version: number | null
  entry: EnrolmentEntry
  total: number
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

/** Reads only what is in scope. A page and its total are of one moment. */
export function createEnrolmentListRepository(
  { db, queryPrepared }: Pick<AppDatabase, 'db' | 'queryPrepared'>,
  access: Access,
) {
  const plain = db.withoutPlugins()

  async function find<Row extends object>(
    statement: RawBuilder<Row>,
    { isPrepared }: { isPrepared: boolean },
  ): Promise<Row[]> {
    if (!isPrepared) return (await statement.execute(plain)).rows
    const { sql: text, parameters } = statement.compile(plain)
    return await queryPrepared<Row>(text, parameters)
  }

  function isListed(
    termId: string,
    { component, level, section, status, missing, outcome, studentIds, search }: EnrolmentFilters,
  ): RawBuilder<SqlBool> {
    return allOf(
      sql`enrolments.term_id = ${termId}`,
      inScope(access, { component, column: 'enrolments.component' }),
      level === 'all' ? undefined : sql`enrolments.level = ${Number(level)}`,
      section === undefined ? undefined : sql`enrolments.section_id = ${section}`,
      status === 'all' ? undefined : sql`enrolments.status = ${status}`,
      missing === 'none' ? undefined : missingValues[missing],
      outcome === 'all' ? undefined : sql`enrolments.outcome = ${outcome}`,
      // Index: enrolments_student.
      studentIds && sql`enrolments.student_id = any(${[...studentIds]}::uuid[])`,
      // Index: student_search_words.
      search === ''
        ? undefined
        : sql`enrolments.student_id in (select id from student_search where ${searchCondition(search, access)})`,
    )
  }

  const countOf = (termId: string, filters: EnrolmentFilters) => sql<{ total: number }>`
    select count(*)::int as total from enrolments where ${isListed(termId, filters)}`

  return {
    /** Indexes: enrolments_section for a section, else enrolments_term; students_pkey. */
    async list(
      termId: string,
      filters: EnrolmentFilters,
      { offset, limit }: Window,
    ): Promise<EnrolmentRow[]> {
      const statement = sql<EnrolmentRow>`
        select enrolments.id as "enrolmentId", enrolments.version, enrolments.component, enrolments.level,
          section_id as "sectionId", unit, sections.name as section, enrolments.status, status_on as "statusOn", reason,
          entry, school, official_at as "officialAt", mark, outcome, terms.academic_year as "termYear", semester,
          (${countOf(termId, filters)}) as total, ${yearColumns}
        from enrolments
          join students on students.id = enrolments.student_id
          join terms on terms.id = enrolments.term_id
          left join sections on sections.id = section_id
        where ${isListed(termId, filters)}
        order by ${orderOf(filters.sort)} limit ${limit} offset ${offset}`
      // The best plan of the others depends on their values.
      const isPrepared =
        filters.section !== undefined && filters.search === '' && filters.studentIds === undefined
      return await find(statement, { isPrepared })
    },

    /** Indexes: the same. */
    async count(termId: string, filters: EnrolmentFilters): Promise<number> {
      const [found] = await find(countOf(termId, filters), { isPrepared: false })
      return found?.total ?? 0
    },

    /**
     * Lists the students who wait to be placed, in the order of names. An empty page is one row with the total alone.
     * The outer limit tells the planner how few records these are, for whichever values.
     */
    async listUnplaced(
      term: { id: string; academicYear: string },
      cell: { component: NstpComponent; level: Level },
      { offset, limit }: Window,
    ): Promise<{ rows: UnplacedRow[]; total: number }> {
      const statement = sql<UnplacedRow>`
        with ${unplacedStudents(term, cell, access)},
        page as (
          select * from (select * from waiting order by sort_name, id limit ${limit} offset ${offset}) found
          limit ${sql.lit(maxPageSize)}
        )
        select total, enrolment_id as "enrolmentId", enrolment_version as version, entry, ${yearColumns}
        from (select count(*)::int as total from waiting) counted
          left join (page join students on students.id = page.id) on true
        order by page.sort_name, page.id`
      const rows = await find(statement, { isPrepared: true })
      return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 }
    },
  }
}
