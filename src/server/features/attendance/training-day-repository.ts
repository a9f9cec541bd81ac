import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { AttendanceState } from '#shared/attendance/calls.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'

type TrainingDaysTable = Tables['trainingDays']

export type TrainingDayRow = Selectable<TrainingDaysTable>
export type RuleRow = Selectable<Tables['attendanceRules']>

export interface DayUse {
  isCalled: boolean
  // A student asked to be excused on it.
  isAskedFor: boolean
  // A student is excused on its date, or an open request asks for it.
  hasExcuses: boolean
  isReplaced: boolean
}

/** Whether a section trains on a day, as `isDayOf` of training-days.ts. The day is `day` in the query. */
export const trainsOn = (section: RawBuilder<unknown>) => sql<SqlBool>`(day.section_ids = '{}'
    or coalesce(${section} = any(day.section_ids), false))
  and (${section} is null or ${section} <> all(day.cancelled_section_ids))`

/** The rule of a term, else that of the latest term before it. No index: there are a few a year. */
export const latestRule = (termId: RawBuilder<unknown>, component: RawBuilder<unknown>) => sql`
  select attendance_rules.* from attendance_rules
    join terms on terms.id = attendance_rules.term_id
    join terms asked on asked.id = ${termId}
  where attendance_rules.component = ${component}
    and (terms.academic_year, terms.semester) <= (asked.academic_year, asked.semester)
  order by terms.academic_year desc, terms.semester desc limit 1`

/** Days of the components in scope, and the rules of their attendance. */
export function createTrainingDaysRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const isInScope = inScope(access, { column: 'component' })

  return {
    /** Index: training_days_term. */
    list: (termId: string, component: NstpComponent): Promise<TrainingDayRow[]> =>
      db
        .selectFrom('trainingDays')
        .selectAll()
        .where(allOf(sql`term_id = ${termId}`, inScope(access, { component, column: 'component' })))
        .orderBy('heldOn')
        .orderBy('startsAt')
        .orderBy('id')
        .execute(),

    /** Counts the states of each day of a component. Indexes: training_days_term, attendance_pkey. */
    async countStates(termId: string, component: NstpComponent) {
      const rows = await all<Record<AttendanceState, number> & { dayId: string }>`
        select day_id, count(*) filter (where attendance.state = 'present')::int as present,
          count(*) filter (where attendance.state = 'late')::int as late,
          count(*) filter (where attendance.state = 'absent')::int as absent,
          count(*) filter (where attendance.state = 'excused')::int as excused
        from training_days join attendance on day_id = id
        where term_id = ${termId} and component = ${component} group by 1`
      return new Map(rows.map(({ dayId, ...counts }) => [dayId, counts]))
    },

    /** Whether these are sections of the component, and of the level unless it is both. Index: sections_pkey. */
    async areSections(
      termId: string,
      { component, level, sectionIds }: Pick<TrainingDayRow, 'component' | 'level' | 'sectionIds'>,
    ): Promise<boolean> {
      const found = await countIn(
        db,
        sql`sections where id = any(${sectionIds}::uuid[]) and term_id = ${termId} and component = ${component}
          and level = coalesce(${level}::smallint, level)`,
      )
      return found === new Set(sectionIds).size
    },

    /** Index: training_days_pkey. */
    find: (id: string): Promise<TrainingDayRow | undefined> =>
      db
        .selectFrom('trainingDays')
        .selectAll()
        .where(allOf(sql`id = ${id}`, isInScope))
        .executeTakeFirst(),

    // Lock: days, in the order of their ids, so that two batches of calls can't deadlock. Index: training_days_pkey.
    lock: (ids: readonly string[]): Promise<TrainingDayRow[]> =>
      db
        .selectFrom('trainingDays')
        .selectAll()
        .where(allOf(sql`id = any(${[...ids]}::uuid[])`, isInScope))
        .orderBy('id')
        .forNoKeyUpdate()
        .execute(),

    /**
     * Lists the ids of who trains on a day by now, in its component, level and sections. Blocked records are left out.
     * Indexes: training_days_pkey, enrolments_term, students_pkey.
     */
    async listStudents(id: string): Promise<string[]> {
      const rows = await all<{ studentId: string }>`
        select distinct enrolments.student_id from training_days day
          join enrolments on enrolments.term_id = day.term_id and enrolments.component = day.component
            and (day.level is null or enrolments.level = day.level)
          join students on students.id = enrolments.student_id
        where ${allOf(
          sql`day.id = ${id} and enrolments.status = 'enrolled'`,
          trainsOn(sql`enrolments.section_id`),
          inScope(access, { column: 'day.component' }),
          isUnrestricted(),
        )} order by 1`
      return rows.map(({ studentId }) => studentId)
    },

    async insert(days: readonly Insertable<TrainingDaysTable>[]): Promise<void> {
      await db
        .insertInto('trainingDays')
        .values([...days])
        .execute()
    },

    /** Index: training_days_pkey. */
    update: (id: string, change: Updateable<TrainingDaysTable>): Promise<TrainingDayRow> =>
      db
        .updateTable('trainingDays')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    /** Indexes: training_days_pkey; of what refers to it: those of `findUse`. */
    async delete(id: string): Promise<void> {
      await db.deleteFrom('trainingDays').where('id', '=', id).execute()
    },

    /**
     * What keeps a day from being deleted or moved. Indexes: attendance_calls_day, attendance_pkey, student_requests_day,
     * training_days_replaces.
     */
    async findUse(id: string): Promise<DayUse> {
      const rows = await all<DayUse>`
        select exists (select from attendance_calls where day_id = ${id})
            or exists (select from attendance where day_id = ${id}) as is_called,
          exists (select from student_requests where day_id = ${id}) as is_asked_for,
          exists (select from attendance where day_id = ${id} and state = 'excused')
            or exists (select from student_requests where day_id = ${id} and state = 'open') as has_excuses,
          exists (select from training_days where replaces_id = ${id}) as is_replaced`
      return rows[0] ?? { isCalled: false, isAskedFor: false, hasExcuses: false, isReplaced: false }
    },

    async findRule(termId: string, component: NstpComponent): Promise<RuleRow | undefined> {
      const { rows } = await latestRule(sql`${termId}`, sql`${component}`).$castTo<RuleRow>().execute(db)
      return rows[0]
    },

    /** Index: attendance_rules_pkey. */
    async storeRule(rule: RuleRow): Promise<void> {
      await db
        .insertInto('attendanceRules')
        .values(rule)
        .onConflict((conflict) => conflict.columns(['termId', 'component']).doUpdateSet(rule))
        .execute()
    },
  }
}
