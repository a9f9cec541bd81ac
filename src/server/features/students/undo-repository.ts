import { type Selectable, sql } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type {
  ImportRowsTable,
  PaperRowsTable,
  Queryable,
  StudentsTable,
  Tables,
} from '#server/database/schema.ts'
import type { MergedAttendance } from '#server/features/attendance/merge-service.ts'
import type { FollowedEnrolment, GivenEnrolment } from '#server/features/terms/enrolment-service.ts'
import type { Actor } from '#server/lib/actor.ts'
import { undoMs } from '#server/lib/change.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import type { StudentRow } from './repository.ts'

/** A student's record with the columns that no screen of the record shows. */
export type WholeRow = StudentRow &
  Pick<Selectable<StudentsTable>, 'importId' | 'network' | 'mergedIds' | 'submissionKey' | 'submissionHash'>

export type ListRowKey = Pick<Selectable<ImportRowsTable>, 'importId' | 'number'>

export type PaperRowKey = Pick<Selectable<PaperRowsTable>, 'paperId' | 'list' | 'number'>

export type PaperAnswerKey = Pick<Selectable<Tables['paperAnswers']>, 'paperId' | 'code'>

interface ChangedRecord {
  studentId: string
  // The version after the change.
  version: number
  before: Partial<Pick<WholeRow, StudentField | 'restriction' | 'mergedIds'>>
  // What a merge deleted, and what it moved. Its instants are texts when they are read, which the database takes as well.
  dropped?: {
    record: WholeRow
    mail: readonly string[]
    // Absent for a merge by an older version.
    enrolments?: readonly GivenEnrolment[]
    followed?: readonly FollowedEnrolment[]
    attendance?: MergedAttendance
    credits?: readonly string[]
    certificates?: readonly string[]
    papers?: readonly PaperRowKey[]
    answers?: readonly PaperAnswerKey[]
    listRows?: readonly ListRowKey[]
    requests?: readonly string[]
    // The former reference codes that the dropped record had from earlier merges.
    references?: readonly string[]
  } | null
}

/** Give it the transaction of the change or of its undo. Queries use the primary key unless noted. */
export function createUndoRepository(tx: Queryable) {
  const { all } = queriesOf(tx)
  return {
    async keep(id: string, { at, actor }: { at: Date; actor: Actor }, records: readonly ChangedRecord[]) {
      await sql`
        insert into undoable_changes (change_id, student_id, at, admin_id, version, before, dropped)
        select ${id}, "studentId", ${at}, ${actor.adminId}::uuid, version, before, dropped
        from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
          as own("studentId" uuid, version integer, before jsonb, dropped jsonb)`.execute(tx)
    },

    /** Returns the change and deletes it, because it is undone once. Returns nothing when it is too late. */
    take: (id: string, now: Date) => all<ChangedRecord & { adminId: string | null }>`
        delete from undoable_changes where change_id = ${id} and at > ${endOfUndo(now)}
        returning student_id, admin_id, version, before, dropped`,

    /** No index: there are few. */
    async expire(now: Date): Promise<void> {
      await tx.deleteFrom('undoableChanges').where('at', '<=', endOfUndo(now)).execute()
    },
  }
}

const endOfUndo = (now: Date) => new Date(now.getTime() - undoMs)
