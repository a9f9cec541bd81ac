import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable, StudentsTable, Tables } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import type { Call, CallSource } from '#shared/attendance/calls.ts'
import type { CountedDay } from '#shared/attendance/standing.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import type { Level } from '#shared/terms/terms.ts'
import { type TrainingDayRow, trainsOn } from './training-day-repository.ts'

export interface ListedCell {
  termId: string
  component: NstpComponent
  level: Level
  // Null means the students without a section.
  section: string | null | 'all'
  // Only who was late or absent in the term.
  hasMissed: boolean
}

interface GridRow extends NamedStudent, Pick<Selectable<StudentsTable>, 'studentId' | 'restriction'> {
  // The id of the student's record.
  recordId: string
  sectionId: string | null
}

export type CalledRow = Pick<
  Selectable<Tables['attendance']>,
  'dayId' | 'studentId' | 'state' | 'minutes' | 'ground'
>

export type HeldRow = Pick<
  Selectable<Tables['attendance']>,
  'dayId' | 'studentId' | 'state' | 'source' | 'version'
>

interface WrittenBy {
  at: Date
  byId: string | null
}

interface CalledBy extends WrittenBy {
  source: CallSource
}

export interface CalledSection {
  sectionId: string | null
  unit: string | null
  name: string | null
  // The name of a section that was deleted since.
  formerly: string | null
  // Counts those who were enrolled in the section on the day.
  students: number
  // Leaves out those who left the section since: their call may be of the section where they are now.
  called: number
  // Counts those who were enrolled on the day and were not called.
  uncalled: number
  // Counts those who were enrolled after the day and were not called.
  later: number
}

// The place before a change. A change that was undone never held.
const placeBefore = sql`case what when 'undone' then after else before end`

const dayIsOver = (heldOn: RawBuilder<unknown>, timeZone: string) =>
  sql`(${heldOn} + 1)::timestamp at time zone ${timeZone}::text`

/**
 * The enrolments of a day's component and level, with the section of that day as `of_day`: changes since have it in their
 * history. All of these are read at once, which takes a third of the time of reading them one by one. Indexes:
 * enrolments_term, enrolment_changes_at, students_pkey.
 */
const withSections = (heldOn: string, timeZone: string, only?: RawBuilder<SqlBool>) => sql`training_days day
  join enrolments on enrolments.term_id = day.term_id and enrolments.component = day.component
    and (day.level is null or enrolments.level = day.level)
  join students on students.id = enrolments.student_id
  left join (
    select distinct on (enrolment_id) enrolment_id, ${placeBefore} as place from enrolment_changes
    where ${allOf(
      sql`${placeBefore} -> 'sectionId' is not null and at >= ${dayIsOver(sql`${heldOn}::date`, timeZone)}`,
      only,
    )}
    order by enrolment_id, version
  ) later on later.enrolment_id = enrolments.id
  cross join lateral (
    select case when place is null then enrolments.section_id else (place ->> 'sectionId')::uuid end as section_id
  ) of_day`

/** A make-up day is of no section: nobody must attend it. */
const isOfDay = (dayId: string): RawBuilder<SqlBool> =>
  allOf(
    sql`day.id = ${dayId} and day.replaces_id is null`,
    sql`(day.section_ids = '{}' or of_day.section_id = any(day.section_ids))`,
    isUnrestricted(),
  )

/** Whether a student was enrolled on the day. Later drops and moves have the day before in their history. */
const wasEnrolled = sql<SqlBool>`case enrolments.status when 'enrolled' then status_on <= held_on
  else status_on > held_on and (
    select coalesce((before ->> 'statusOn')::date, status_on) <= held_on from enrolment_changes
    where enrolment_id = enrolments.id and what in ('dropped', 'moved') order by version desc limit 1) end`

const joinedLater = sql<SqlBool>`enrolments.status = 'enrolled' and status_on > held_on`

/** The days of a term whose rows count for a student of a level: in both components of who moved. */
const isCountedDay = ({
  termId,
  level,
}: Pick<ListedCell, 'termId' | 'level'>) => sql<SqlBool>`term_id = ${termId}
  and (training_days.level is null or training_days.level = ${level}) and training_days.state <> 'cancelled'`

/** A counted day that is among those to come of the component too. */
const isPlannedDay = (component: NstpComponent) =>
  sql<boolean>`(training_days.state = 'planned' and component = ${component} and replaces_id is null)`

/** A call may have a time of its own. */
const recordsOf = (calls: readonly Call[]) => sql`jsonb_to_recordset(${JSON.stringify(calls)}::jsonb)
  as sent (id uuid, "dayId" uuid, "studentId" uuid, state text, minutes smallint, ground text, "calledAt" timestamptz)`

/** Whether what holds may be replaced by a call of then: another phone's call may arrive later than it was made. */
const isBefore = (then: RawBuilder<unknown>) =>
  sql<SqlBool>`(attendance.source not in ('roll', 'scan') or attendance.at <= ${then})`

/** Reads only what is in scope. @param timeZone says when a day ends */
export function createAttendanceRepository(db: Queryable, access: Access, timeZone: string) {
  const { all } = queriesOf(db)
  const isListed = ({ termId, component, level, section, hasMissed }: ListedCell) =>
    allOf(
      sql`enrolments.term_id = ${termId} and enrolments.status = 'enrolled' and enrolments.level = ${level}`,
      inScope(access, { component, column: 'enrolments.component' }),
      section === 'all' ? undefined : sql`section_id is not distinct from ${section}::uuid`,
      hasMissed
        ? sql`enrolments.student_id in (
            select missed.student_id from attendance missed join training_days day on day.id = missed.day_id
            where day.term_id = ${termId} and missed.state in ('late', 'absent'))`
        : undefined,
    )

  return {
    /** Lists students in the order of names, as class lists do. Indexes: enrolments_term, students_pkey. */
    async list(cell: ListedCell): Promise<Visible<GridRow>[]> {
      const rows = await all<GridRow>`
        select students.id as record_id, section_id, students.student_id, last_name, first_name, middle_name,
          extension_name, restriction
        from enrolments join students on students.id = enrolments.student_id
        where ${isListed(cell)} order by sort_name, students.id`
      return rows.map(({ recordId, sectionId, ...student }) => ({
        recordId,
        sectionId,
        ...visible(student, access),
      }))
    },

    /**
     * Reads what was called of each student over the term, in both components of who moved, in the order of days. One
     * row a student is faster to read than a row a day, and arrays in it than objects. Indexes: training_days_term,
     * attendance_student for a section, else attendance_pkey; attendance_missed.
     */
    async listCounted(cell: ListedCell) {
      const rows = await all<{
        studentId: string
        counted: [CountedDay['state'], CountedDay['hours']][]
        planned: number
      }>`
        select attendance.student_id,
          json_agg(json_build_array(attendance.state, hours) order by held_on, starts_at, id) as counted,
          count(*) filter (where ${isPlannedDay(cell.component)})::int as planned
        from training_days join attendance on day_id = id
        where ${isCountedDay(cell)}
          and attendance.student_id in (select student_id from enrolments where ${isListed(cell)})
        group by 1`
      return new Map(
        rows.map(({ studentId, counted, planned }) => [
          studentId,
          { counted: counted.map(([state, hours]) => ({ state, hours })), planned },
        ]),
      )
    },

    /** Index: attendance_student. */
    async listCalls(dayIds: readonly string[], studentIds: readonly string[]): Promise<CalledRow[]> {
      return await db
        .selectFrom('attendance')
        .select(['dayId', 'studentId', 'state', 'minutes', 'ground'])
        .where(
          allOf(sql`day_id = any(${[...dayIds]}::uuid[])`, sql`student_id = any(${[...studentIds]}::uuid[])`),
        )
        .execute()
    },

    /**
     * Counts calls of who isn't in the day's component and level, or left it before the day, or is blocked, or isn't and
     * wasn't in a section that trains on the day. A make-up day takes everybody, and a row is changed wherever the student is.
     * Lock: the records of the others stay. Indexes: enrolments_student, students_pkey, attendance_pkey,
     * enrolment_changes_enrolment.
     */
    async countStrangers(calls: readonly Call[]): Promise<number> {
      const sent = sql`(select distinct "dayId", "studentId" from ${recordsOf(calls)}) sent`
      await sql`
        select from students where id in (select "studentId" from ${sent}) order by id for key share`.execute(
        db,
      )
      return await countIn(
        db,
        sql`${sent} join training_days day on day.id = sent."dayId"
        where not exists (
          select from enrolments join students on students.id = enrolments.student_id
          where enrolments.student_id = sent."studentId" and enrolments.term_id = day.term_id
            and enrolments.component = day.component and (day.level is null or enrolments.level = day.level)
            and ${isUnrestricted()}
            and ((enrolments.status = 'enrolled' or ${wasEnrolled})
                and (day.replaces_id is not null or ${trainsOn(sql`enrolments.section_id`)} or exists (
                  select from (
                    select (${placeBefore} ->> 'sectionId')::uuid as section_id from enrolment_changes
                    where enrolment_id = enrolments.id and ${placeBefore} -> 'sectionId' is not null
                      and at >= ${dayIsOver(sql`day.held_on`, timeZone)}
                    order by version limit 1) of_day
                  where ${trainsOn(sql`of_day.section_id`)}))
              or exists (
                select from attendance where day_id = day.id and attendance.student_id = enrolments.student_id)))`,
      )
    },

    /** Lists what holds where calls are. Index: attendance_pkey. */
    listHeld: (calls: readonly Call[]) => all<HeldRow>`
        select distinct day_id, student_id, attendance.state, source, version
        from ${recordsOf(calls)} join attendance on day_id = "dayId" and student_id = "studentId"`,

    /** Lists those of the calls that were sent before. Index: attendance_calls_pkey. */
    async findKnown(calls: readonly Call[]): Promise<Set<string>> {
      const rows = await db
        .selectFrom('attendanceCalls')
        .select('id')
        .where(sql<SqlBool>`id = any(${calls.map(({ id }) => id)}::uuid[])`)
        .execute()
      return new Set(rows.map(({ id }) => id))
    },

    /**
     * Adds calls, but none in a term that was closed meanwhile. Indexes: attendance_calls_pkey, terms_pkey.
     * @returns the ids of calls that are new
     */
    async addCalls(
      termId: string,
      calls: readonly Call[],
      { at, byId, source }: CalledBy,
    ): Promise<Set<string>> {
      const rows = await all<{ id: string }>`
        insert into attendance_calls (id, day_id, student_id, state, minutes, ground, source, at, by_id)
        select id, "dayId", "studentId", state, minutes, ground, ${source}, coalesce("calledAt", ${at}), ${byId}::uuid
        from ${recordsOf(calls)}
        where exists (select from terms where terms.id = ${termId} and terms.state <> 'closed')
        on conflict (id) do nothing returning id`
      return new Set(rows.map(({ id }) => id))
    },

    /** Makes calls what holds, one for a day and student, but for a phone's later call. Index: attendance_pkey. */
    async apply(calls: readonly Call[], { at, byId, source }: CalledBy): Promise<void> {
      const sent = recordsOf(calls)
      await sql`
        insert into attendance (day_id, student_id, state, minutes, ground, source, at, by_id)
        select "dayId", "studentId", state, minutes, ground, ${source}, coalesce("calledAt", ${at}), ${byId}::uuid
        from ${sent} where state is not null
        on conflict (day_id, student_id) do update set state = excluded.state, minutes = excluded.minutes,
          ground = excluded.ground, source = excluded.source, at = excluded.at, by_id = excluded.by_id,
          version = attendance.version + 1
        where ${isBefore(sql`excluded.at`)}`.execute(db)
      await sql`
        delete from attendance using ${sent}
        where sent.state is null and day_id = "dayId" and student_id = "studentId"
          and ${isBefore(sql`coalesce("calledAt", ${at})`)}`.execute(db)
    },

    /** Lists the sections of a day with how many were called. Indexes: of `withSections`; attendance_pkey. */
    listCalledSections: ({ id, heldOn }: TrainingDayRow) => all<CalledSection>`
        select of_day.section_id, unit, name, max(place ->> 'section') as formerly,
          count(*) filter (where ${wasEnrolled})::int as students,
          count(attendance.student_id) filter (
            where enrolments.section_id is not distinct from of_day.section_id)::int as called,
          count(*) filter (where attendance.student_id is null and ${wasEnrolled})::int as uncalled,
          count(*) filter (where attendance.student_id is null and ${joinedLater})::int as later
        from ${withSections(heldOn, timeZone)}
          left join sections on sections.id = of_day.section_id
          left join attendance on attendance.day_id = day.id and attendance.student_id = students.id
        where ${isOfDay(id)}
        group by 1, 2, 3, sections.position order by sections.position, 1`,

    /**
     * Writes absent for who was not called. Lock: the records stay, in the order of their ids, so that two closings can't
     * deadlock. Indexes: the same.
     * @param without the sections that are left out, null for the students without one
     * @param withLater also for who was enrolled after the day
     * @param only these students. Indexes: enrolments_student, enrolment_changes_enrolment
     * @returns how many
     */
    async writeAbsent(
      { id, heldOn }: TrainingDayRow,
      {
        without,
        withLater,
        only,
      }: { without: readonly (string | null)[]; withLater: boolean; only?: readonly string[] },
      { at, byId }: WrittenBy,
    ): Promise<number> {
      const sections = without.filter((section) => section !== null)
      const isOwn =
        only &&
        sql<SqlBool>`enrolment_id in (select id from enrolments where student_id = any(${[...only]}::uuid[]))`
      const { numAffectedRows = 0n } = await sql`
        insert into attendance (day_id, student_id, state, source, at, by_id)
        select distinct day.id, students.id, 'absent', 'closing', ${at}::timestamptz, ${byId}::uuid
        from ${withSections(heldOn, timeZone, isOwn)}
        where ${allOf(
          isOfDay(id),
          only && sql`students.id = any(${[...only]}::uuid[])`,
          withLater ? sql`(${wasEnrolled} or ${joinedLater})` : wasEnrolled,
          sql`case when of_day.section_id is null then ${!without.includes(null)}::boolean
            else of_day.section_id <> all(${sections}::uuid[]) end`,
        )}
        order by students.id
        on conflict do nothing`.execute(db)
      return Number(numAffectedRows)
    },

    /** Takes the absences of closing back. Index: attendance_pkey. */
    async takeBackAbsent(dayId: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('attendance')
        .where('dayId', '=', dayId)
        .where('source', '=', 'closing')
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
