import { sql } from 'kysely'
import { isUnrestricted } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { AttendanceState } from '#shared/attendance/calls.ts'
import type { ListedCell } from './repository.ts'
import { latestRule, type RuleRow, type TrainingDayRow } from './training-day-repository.ts'

export interface OwnPlace extends Pick<ListedCell, 'termId' | 'component' | 'level'> {
  sectionId: string | null
  // Since when the student is enrolled there.
  statusOn: string
  // Null where no term has set one.
  rule: RuleRow | null
}

export interface OwnDay extends TrainingDayRow {
  // What is called of the student, null for nothing.
  called: AttendanceState | null
}

/** Reads of one student. */
export function createOwnAttendanceRepository(db: Queryable, studentId: string) {
  const { all, first } = queriesOf(db)
  return {
    /** Finds where the student trains; nowhere while the record is blocked. Indexes: enrolments_student, terms_pkey, students_pkey. */
    findPlace: () => first<OwnPlace>`
        select own.term_id, own.component, own.level, section_id, status_on, to_json(rule) as rule
        from enrolments own join terms on terms.id = own.term_id join students on students.id = own.student_id
          left join lateral (${latestRule(sql`own.term_id`, sql`own.component`)}) rule on true
        where own.student_id = ${studentId} and own.status = 'enrolled' and terms.state = 'open'
          and ${isUnrestricted()}
        order by own.id desc limit 1`,

    /**
     * Lists the days of the component and level, and those of the other one on which something was called before the
     * student moved. Indexes: training_days_term, attendance_pkey.
     */
    listDays: ({ termId, component, level }: OwnPlace) => all<OwnDay>`
        select training_days.*, attendance.state as called
        from training_days left join attendance on day_id = id and student_id = ${studentId}
        where term_id = ${termId} and (level is null or level = ${level})
          and (component = ${component} or attendance.state is not null)
        order by held_on, starts_at, id`,
  }
}
