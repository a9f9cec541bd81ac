import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { v7 as createId } from 'uuid'
import { allOf, inScope } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable, SectionsTable, StudentsTable, TermsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { Level } from '#shared/terms/terms.ts'
import { isDue, studentsOfYear } from './placing-repository.ts'

export type TermRow = Selectable<TermsTable>
export type SectionRow = Selectable<SectionsTable>

export type TermsRepository = ReturnType<typeof createTermsRepository>

/** There are a few: two or three a year. */
export function createTermsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    // Lock: one transaction at a time changes the list of terms.
    async lockAll(): Promise<void> {
      await sql`lock table terms in share row exclusive mode`.execute(db)
    },

    // Lock: what is in a term is changed by one transaction at a time. Another term's isn't held up, nor are reads.
    lock: (id: string): Promise<TermRow | undefined> =>
      db.selectFrom('terms').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),

    // Lock: those in which students of a term are, in the order of their ids. Indexes: enrolments_term, enrolments_student.
    async lockAround(id: string): Promise<void> {
      await sql`
        select id from terms where id in (
          select other.term_id from enrolments own join enrolments other on other.student_id = own.student_id
          where own.term_id = ${id})
        order by id for no key update`.execute(db)
    },

    list: (): Promise<TermRow[]> =>
      db
        .selectFrom('terms')
        .selectAll()
        .orderBy('academicYear', 'desc')
        .orderBy('semester', 'desc')
        .execute(),

    find: (id: string): Promise<TermRow | undefined> =>
      db.selectFrom('terms').selectAll().where('id', '=', id).executeTakeFirst(),

    insert: (term: Insertable<TermsTable>): Promise<TermRow> =>
      db.insertInto('terms').values(term).returningAll().executeTakeFirstOrThrow(),

    update: (id: string, change: Updateable<TermsTable>): Promise<TermRow> =>
      db
        .updateTable('terms')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    // Lock: no student asks for a training day of the term, and nobody calls one. Index: training_days_term.
    async lockDays(id: string): Promise<void> {
      await sql`select from training_days where term_id = ${id} order by id for update`.execute(db)
    },

    /** Deletes a term with its sections, which facilitators lose, and training days. */
    async delete(id: string): Promise<void> {
      await db.deleteFrom('trainingDays').where('termId', '=', id).execute()
      await db.deleteFrom('sections').where('termId', '=', id).execute()
      await db.deleteFrom('terms').where('id', '=', id).execute()
    },

    /** Counts the facilitators who have sections of a term. Indexes: sections_name, admin_sections_section. */
    async countFacilitators(id: string): Promise<number> {
      const rows = await all<{ count: number }>`
        select count(distinct admin_id)::int as count
        from sections join admin_sections on section_id = sections.id where term_id = ${id}`
      return rows[0]?.count ?? 0
    },

    // Index: sections_name.
    async copySections(from: string, to: string): Promise<number> {
      const sections = await db.selectFrom('sections').selectAll().where('termId', '=', from).execute()
      const copies = sections.map((section) => ({ ...section, id: createId(), termId: to, version: 1 }))
      if (copies.length > 0) await db.insertInto('sections').values(copies).execute()
      return copies.length
    },

    // Attendance counts too, and who asked to be excused: both stay when a placing is taken back.
    // Indexes: enrolments_term, training_days_term, attendance_pkey, student_requests_day.
    countStudents: (id: string) =>
      countIn(
        db,
        sql`(select student_id from enrolments where term_id = ${id}
          union select student_id from attendance_calls join training_days on training_days.id = day_id
          where term_id = ${id}
          union select student_id from attendance join training_days on training_days.id = day_id
          where term_id = ${id}
          union select student_id from student_requests join training_days on training_days.id = day_id
          where term_id = ${id}) own`,
      ),
  }
}

interface Cell {
  component: NstpComponent
  level: Level
}

/** How many are enrolled in a section, and of them in the registrar’s list. */
interface Held {
  students: number
  official: number
}

export type ListedSection = SectionRow & Held

/** The columns have the names of `ListedStudent`, because some queries run without the plugin that translates them. */
export const studentColumns = sql.raw(`
  students.id, students.last_name as "lastName", students.first_name as "firstName", students.middle_name as "middleName",
  students.extension_name as "extensionName", students.student_id as "studentId", students.course, students.sex,
  students.contact_number as "contactNumber", students.restriction`)

export type ListedStudent = Pick<
  Selectable<StudentsTable>,
  | 'id'
  | 'lastName'
  | 'firstName'
  | 'middleName'
  | 'extensionName'
  | 'studentId'
  | 'course'
  | 'sex'
  | 'contactNumber'
  | 'restriction'
>

/** Sections and figures of the components in scope. Where nothing else is said, by `sections_name`. */
export function createSectionsRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const ownSections = inScope(access, { column: 'sections.component' })
  const ownEnrolments = inScope(access, { column: 'enrolments.component' })

  return {
    list: (termId: string) => all<ListedSection>`
        select sections.*, coalesce(held.students, 0) as students, coalesce(held.official, 0) as official
        from sections left join (
          select section_id, count(*)::int as students, count(official_at)::int as official from enrolments
          where term_id = ${termId} and status = 'enrolled' group by section_id
        ) held on held.section_id = sections.id
        where ${allOf(sql`term_id = ${termId}`, ownSections)}
        order by component, level, position, id`,

    // Index: sections_pkey.
    find: (id: string): Promise<SectionRow | undefined> =>
      db
        .selectFrom('sections')
        .selectAll()
        .where(allOf(sql`id = ${id}`, ownSections))
        .executeTakeFirst(),

    // Index: enrolments_section.
    async countHeld(id: string): Promise<Held> {
      const rows = await all<Held>`
        select count(*)::int as students, count(official_at)::int as official from enrolments
        where section_id = ${id} and status = 'enrolled'`
      return rows[0] ?? { students: 0, official: 0 }
    },

    // Index: admin_sections_section.
    countFacilitators: (id: string): Promise<number> =>
      countIn(db, sql`admin_sections where section_id = ${id}`),

    async insert(sections: readonly Insertable<SectionsTable>[]): Promise<void> {
      await db
        .insertInto('sections')
        .values([...sections])
        .execute()
    },

    update: (id: string, change: Updateable<SectionsTable>): Promise<SectionRow> =>
      db
        .updateTable('sections')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    /**
     * Deletes a section. Enrolments of students who dropped lose their section, and so do facilitators. Indexes:
     * enrolments_section, admin_sections_section.
     */
    async delete(id: string): Promise<void> {
      await db.updateTable('enrolments').set({ sectionId: null }).where('sectionId', '=', id).execute()
      await db.deleteFrom('sections').where('id', '=', id).execute()
    },

    /** Lists the students in the order of names. Indexes: enrolments_section, students_pkey. */
    async listStudents(
      sectionIds: readonly string[],
    ): Promise<Visible<ListedStudent & { sectionId: string }>[]> {
      const rows = await all<ListedStudent & { sectionId: string }>`
        select section_id, ${studentColumns}
        from enrolments join students on students.id = enrolments.student_id
        where ${allOf(
          sql`section_id = any(${[...sectionIds]}::uuid[]) and enrolments.status = 'enrolled'`,
          ownEnrolments,
        )}
        order by sort_name, students.id`
      return rows.map(({ sectionId, ...student }) => ({ sectionId, ...visible(student, access) }))
    },

    countSections: (termId: string) => all<Cell & { sections: number; capacity: number }>`
        select component, level, count(*)::int as sections, sum(capacity)::int as capacity from sections
        where ${allOf(sql`term_id = ${termId}`, ownSections)} group by 1, 2`,

    // Index: enrolments_term.
    countEnrolled: (termId: string) => all<
      Cell & { placed: number; withoutSection: number; official: number; marked: number }
    >`
        select component, level, count(section_id)::int as placed,
          (count(*) - count(section_id))::int as without_section, count(official_at)::int as official,
          (count(*) filter (where outcome <> 'none'))::int as marked
        from enrolments
        where ${allOf(sql`term_id = ${termId} and status = 'enrolled'`, ownEnrolments)} group by 1, 2`,

    // Indexes: as `studentsOfYear`.
    async countWaiting(term: Pick<TermRow, 'id' | 'academicYear'>) {
      const rows = await all<{ component: NstpComponent; waiting1: number; waiting2: number }>`
        with ${studentsOfYear(term, access)}
        select nstp_component as component, count(*) filter (where ${isDue[1]})::int as waiting_1,
          count(*) filter (where ${isDue[2]})::int as waiting_2
        from own group by 1`
      return rows.flatMap(({ component, waiting1, waiting2 }) => [
        { component, level: 1 as const, waiting: waiting1 },
        { component, level: 2 as const, waiting: waiting2 },
      ])
    },
  }
}
