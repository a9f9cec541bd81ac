import type { AppDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { StudentRecord } from '#shared/students/student.ts'
import type { BulkChange, PrintNote } from '#shared/students/students.ts'
import type { Topic } from '#shared/topics.ts'
import { createStudentChangesRepository } from './change-repository.ts'
import { presentRecord } from './change-service.ts'
import type { StudentsRepository } from './repository.ts'

interface StudentBulkChangesOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type StudentBulkChanges = ReturnType<typeof createStudentBulkChanges>

export function createStudentBulkChanges({ database, clock, publish, audit }: StudentBulkChangesOptions) {
  async function setArchived(ids: readonly string[], archived: boolean, actor: Actor): Promise<BulkChange> {
    const uniqueIds = [...new Set(ids)]
    const changed = await database.transact(
      async (tx) => {
        const students = createStudentChangesRepository(tx)
        const changed = await students.setArchived(uniqueIds, archived ? clock() : null)
        // Counted after the change has locked them: none can be deleted in between.
        const missing = uniqueIds.length - (await students.count(uniqueIds))
        if (missing > 0) throw new AppError('conflict', { detail: missingSentence(missing, archived) })
        if (changed.length > 0) {
          const action = archived ? 'student-archived' : 'student-unarchived'
          await audit.record(tx, { action, actor, studentIds: changed })
        }
        return changed
      },
      // Twenty thousand records take longer than a request's statement may.
      { long: true },
    )
    if (changed.length > 0) publish('students')
    return { count: changed.length, ids: changed }
  }

  return {
    /**
     * All or nothing.
     * @throws AppError `conflict` when one of the records was deleted
     */
    archive: (ids: readonly string[], actor: Actor): Promise<BulkChange> => setArchived(ids, true, actor),

    /** @throws AppError `conflict` */
    unarchive: (ids: readonly string[], actor: Actor): Promise<BulkChange> => setArchived(ids, false, actor),
  }
}

function missingSentence(missing: number, archived: boolean): string {
  const which =
    missing === 1
      ? '1 of the selected students no longer exists'
      : `${missing} of the selected students no longer exist`
  return `${which}, so nothing was ${archived ? 'archived' : 'unarchived'}. Please reload the list and select again.`
}

interface StudentPrintsOptions {
  database: Pick<AppDatabase, 'db'>
  repository: Pick<StudentsRepository, 'findMany'>
  audit: Audit
}

export type StudentPrints = ReturnType<typeof createStudentPrints>

export function createStudentPrints({ database, repository, audit }: StudentPrintsOptions) {
  async function note({ kind, count, ids }: PrintNote, actor: Actor): Promise<void> {
    const of = ids?.length === 1 && ids[0] ? { studentId: ids[0] } : ids && { studentIds: ids }
    await audit.record(database.db, {
      action: 'students-printed',
      actor,
      ...of,
      affected: count,
      detail: { kind },
    })
  }

  return {
    /** @throws AppError `conflict` when one of them was deleted */
    async sheets(ids: readonly string[], actor: Actor): Promise<StudentRecord[]> {
      const rows = await repository.findMany(ids)
      const byId = new Map(rows.map((row) => [row.id, row]))
      const found = ids.flatMap((id) => byId.get(id) ?? [])
      if (found.length < ids.length) {
        throw new AppError('conflict', {
          detail: 'Some of the selected students no longer exist. Please reload the list and select again.',
        })
      }
      await note({ kind: 'sheet', count: ids.length, ids }, actor)
      return found.map(presentRecord)
    },

    // A print is reported by the browser.
    note,
  }
}
