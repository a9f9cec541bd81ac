import { sql } from 'kysely'
import { isUnrestricted } from '#server/database/conditions.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { AttendanceState } from '#shared/attendance/calls.ts'
import { isCountedDay, isPlannedDay, type ListedCell } from './repository.ts'

export interface OwnPlace extends Pick<ListedCell, 'termId' | 'component' | 'level'> {
  sectionId: string | null
}

export interface OwnCall {
  dayId: string
  heldOn: string
  startsAt: string
  title: string
  hours: number
  isPlanned: boolean
  state: AttendanceState
}

/** Reads of one student. */
export function createOwnAttendanceRepository(db: Queryable, studentId: string) {
  return {
    /** Finds where the student trains; nowhere while the record is blocked. Indexes: enrolments_student, terms_pkey, students_pkey. */
    async findPlace(): Promise<OwnPlace | undefined> {
      const { rows } = await sql<OwnPlace>`
        select term_id, enrolments.component, level, section_id
        from enrolments join terms on terms.id = term_id join students on students.id = enrolments.student_id
        where enrolments.student_id = ${studentId} and enrolments.status = 'enrolled' and terms.state = 'open'
          and ${isUnrestricted()}
        order by enrolments.id desc limit 1`.execute(db)
      return rows[0]
    },

    /** Lists what counts, as `listCounted` does of many. Indexes: attendance_student, training_days_pkey. */
    async listCalls(place: OwnPlace): Promise<OwnCall[]> {
      const { rows } = await sql<OwnCall>`
        select day_id, held_on, starts_at, title, hours, ${isPlannedDay(place.component)} as is_planned, attendance.state
        from training_days join attendance on day_id = id
        where ${isCountedDay(place)} and student_id = ${studentId}
        order by held_on, starts_at, id`.execute(db)
      return rows
    },
  }
}
