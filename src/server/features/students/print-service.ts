import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import type { StudentRecord } from '#shared/student.ts'
import type { PrintNote } from '#shared/students.ts'
import { presentRecord } from './present.ts'
import type { StudentsRepository } from './repository.ts'

interface StudentPrintsOptions {
  database: Pick<AppDatabase, 'db'>
  repository: Pick<StudentsRepository, 'findMany'>
  audit: Audit
}

export type StudentPrints = ReturnType<typeof createStudentPrints>

/** What leaves the desk on paper. Every print stands in the audit trail. */
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
    /**
     * Whole records in the given order, to print their sheets.
     *
     * @throws AppError `conflict` when one of them is gone
     */
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

    /** Notes a print that a browser made of what it shows. */
    note,
  }
}
