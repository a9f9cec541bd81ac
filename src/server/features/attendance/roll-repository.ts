import { type Selectable, type SqlBool, sql } from 'kysely'
import { allOf, isUnrestricted } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable, StudentsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import type { RollCall } from '#shared/attendance/calls.ts'
import type { PhoneNumbers, Roll } from '#shared/attendance/roll-response.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import type { Level } from '#shared/terms/terms.ts'
import { trainsOn } from './training-day-repository.ts'

export interface OwnSection {
  id: string
  termId: string
  component: NstpComponent
  level: Level
  unit: string
  name: string
}

interface RollStudentRow extends NamedStudent, Pick<Selectable<StudentsTable>, 'studentId' | 'course'> {
  // The id of the student's record.
  recordId: string
}

type SentCall = Pick<RollCall, 'id' | 'dayId' | 'studentId'> & {
  state: string | null
  // When it was made on the day or since; null where that isn't known.
  calledAt?: string | null
}

const ofSection = ({ id }: OwnSection) =>
  allOf(sql`enrolments.section_id = ${id} and enrolments.status = 'enrolled'`, isUnrestricted())

/** Whether the office has closed a day for a section. It may have left the day open for others. */
const isClosedFor = ({ id }: OwnSection) =>
  sql<SqlBool>`(day.closed_at is not null and ${id}::uuid <> all(array_remove(day.open_section_ids, null)))`

/** Days of a section until today. A make-up day takes everybody of its component and level, as `takesCallsOf` of training-days.ts. */
const isOfSection = (section: OwnSection, today: string) => sql<SqlBool>`day.term_id = ${section.termId}
  and day.component = ${section.component} and (day.level is null or day.level = ${section.level})
  and day.held_on <= ${today}::date and day.state <> 'cancelled'
  and (day.replaces_id is not null or ${trainsOn(sql`${section.id}::uuid`)})`

/** Reads what a facilitator's own sections have, and nothing else. */
export function createRollRepository(db: Queryable, adminId: string) {
  const { all, first } = queriesOf(db)
  return {
    /**
     * Lists the own sections of the open term. Indexes: admin_sections_pkey, sections_pkey, terms_pkey.
     * @param only with this id. Lock: it stays the account's until the transaction ends, if `isHeld`
     */
    listSections: (only?: { id: string; isHeld?: boolean }) => all<OwnSection>`
        select sections.id, term_id, component, level, unit, name
        from admin_sections join sections on sections.id = section_id join terms on terms.id = term_id
        where ${allOf(
          sql`admin_id = ${adminId} and terms.state = 'open'`,
          only && sql`section_id = ${only.id}`,
        )}
        order by component, level, position, sections.id
        ${only?.isHeld ? sql`for share of admin_sections` : sql``}`,

    /** Index: admins_pkey. */
    async seesPhoneNumbers(): Promise<boolean> {
      const row = await db
        .selectFrom('admins')
        .select('seesPhoneNumbers')
        .where('id', '=', adminId)
        .executeTakeFirst()
      return row?.seesPhoneNumbers ?? false
    },

    /** Lists the days that the office has not closed for a section, and those of today. Index: training_days_term. */
    listDays: (section: OwnSection, today: string) => all<Roll['days'][number]>`
        select id, held_on, title, starts_at, replaces_id is not null as is_make_up,
          ${isClosedFor(section)} as is_closed, held_on = ${today}::date as is_today
        from training_days day
        where ${isOfSection(section, today)} and (not ${isClosedFor(section)} or day.held_on = ${today}::date)
        order by held_on, starts_at, id`,

    /** Lists students in the order of names. Indexes: enrolments_section, students_pkey. */
    async listStudents(section: OwnSection, access: Access): Promise<Visible<RollStudentRow>[]> {
      const rows = await all<RollStudentRow>`
        select students.id as record_id, students.student_id, last_name, first_name, middle_name, extension_name, course
        from enrolments join students on students.id = enrolments.student_id
        where ${ofSection(section)} order by sort_name, students.id`
      return rows.map(({ recordId, ...student }) => ({ recordId, ...visible(student, access) }))
    },

    /** Counts the blocked records of a section. Indexes: the same. */
    countBlocked: ({ id }: OwnSection) =>
      countIn(
        db,
        sql`
        enrolments join students on students.id = enrolments.student_id
        where section_id = ${id} and enrolments.status = 'enrolled' and restriction is not null`,
      ),

    /** Leaves out the ground of who is excused. Index: attendance_pkey. */
    listCalls: (dayIds: readonly string[], studentIds: readonly string[]) => all<Roll['calls'][number]>`
        select day_id, student_id, state, minutes, version from attendance
        where day_id = any(${[...dayIds]}::uuid[]) and student_id = any(${[...studentIds]}::uuid[])`,

    /**
     * Finds the calls of who is in the section now. A day that was closed takes those of today, and those that were made
     * on the day by a phone without a network, but nothing is taken back: that is the office's. Indexes: enrolments_student, students_pkey, training_days_pkey.
     * @returns their ids
     */
    async findTaken(
      section: OwnSection,
      calls: readonly SentCall[],
      { today, timeZone }: { today: string; timeZone: string },
    ): Promise<Set<string>> {
      const rows = await all<{ id: string }>`
        select sent.id
        from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb)
          as sent (id uuid, "dayId" uuid, "studentId" uuid, state text, "calledAt" timestamptz)
        where exists (
            select from enrolments join students on students.id = enrolments.student_id
            where enrolments.student_id = sent."studentId" and ${ofSection(section)})
          and exists (
            select from training_days day where day.id = sent."dayId" and ${isOfSection(section, today)}
              and (not ${isClosedFor(section)} or sent.state is not null and day.held_on in (
                ${today}::date, (sent."calledAt" at time zone ${timeZone}::text)::date)))`
      return new Set(rows.map(({ id }) => id))
    },

    /**
     * Finds whom to call, of a student of an own section and for an account that is allowed it. Indexes:
     * enrolments_student, admin_sections_pkey, sections_pkey, terms_pkey, students_pkey.
     */
    findPhoneNumbers: (id: string) => first<PhoneNumbers & { reference: string }>`
        select reference, contact_number, emergency_contact_name, emergency_contact_number from students
        where id = ${id} and ${isUnrestricted()}
          and exists (select from admins where admins.id = ${adminId} and sees_phone_numbers)
          and exists (
            select from enrolments join admin_sections on admin_sections.section_id = enrolments.section_id
              join terms on terms.id = enrolments.term_id
            where enrolments.student_id = students.id and enrolments.status = 'enrolled'
              and admin_id = ${adminId} and terms.state = 'open')`,
  }
}
