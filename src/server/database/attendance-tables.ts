import type { Generated } from 'kysely'
import type { AttendanceState, CallSource } from '#shared/attendance/calls.ts'
import type { ExcuseGround } from '#shared/attendance/excuse-grounds.ts'
import type { DayState } from '#shared/attendance/training-days.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { Level } from '#shared/terms/terms.ts'
import type { Optional } from './column-types.ts'

/** Null means the students without a section. */
type OpenSectionIds = (string | null)[]

/** The tables of training days, as part of `Tables`. */
export interface AttendanceTables {
  trainingDays: {
    id: string
    termId: string
    component: NstpComponent
    // Null means both levels.
    level: Optional<Level>
    // An empty list means all sections.
    sectionIds: Generated<string[]>
    heldOn: string
    title: Generated<string>
    startsAt: Generated<string>
    hours: number
    state: Generated<DayState>
    closedAt: Optional<Date>
    cancelledSectionIds: Generated<string[]>
    openSectionIds: Generated<OpenSectionIds>
    withLater: Generated<boolean>
    reopenReason: Generated<string>
    replacesId: Optional<string>
    version: Generated<number>
  }
  attendance: {
    dayId: string
    studentId: string
    state: AttendanceState
    minutes: Optional<number>
    ground: Generated<ExcuseGround | ''>
    source: CallSource | 'closing'
    at: Date
    byId: Optional<string>
    version: Generated<number>
  }
  attendanceCalls: {
    id: string
    dayId: string
    studentId: string
    state: Optional<AttendanceState>
    minutes: Optional<number>
    ground: Generated<ExcuseGround | ''>
    source: CallSource
    at: Date
    byId: Optional<string>
  }
  adminSections: {
    adminId: string
    sectionId: string
  }
  attendanceRules: {
    termId: string
    component: NstpComponent
    // Null where it doesn't count.
    absences: number | null
    percent: number | null
    inRow: number | null
    hoursMissed: number | null
    lates: number | null
    hours: number
  }
}
