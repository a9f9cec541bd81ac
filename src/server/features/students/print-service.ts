import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Visible } from '#server/lib/visible.ts'
import type { PrintNote } from '#shared/students/student-response.ts'
import { createStudentChangesRepository } from './change-repository.ts'
import { createStudentsRepository, type StudentRow } from './repository.ts'
import { someMissing } from './service.ts'

export function createStudentPrints({
  database,
  audit,
  timeZone,
}: Pick<AppContext, 'database' | 'audit' | 'timeZone'>) {
  const repository = createStudentsRepository(database, timeZone)
  async function note({ kind, count, ids }: PrintNote, actor: Staff): Promise<void> {
    const of = ids?.length === 1 && ids[0] ? { studentId: ids[0] } : ids && { studentIds: ids }
    const entry = { action: 'students-printed', actor, ...of, affected: count, detail: { kind } } as const
    await audit.record(database.db, entry)
  }

  async function findAll(ids: readonly string[], { access }: Staff): Promise<Visible<StudentRow>[]> {
    const byId = new Map((await repository.findMany(ids, access)).map((row) => [row.id, row]))
    const found = ids.flatMap((id) => byId.get(id) ?? [])
    if (found.length < ids.length) throw new AppError('conflict', someMissing)
    return found
  }

  return {
    async sheets(ids: readonly string[], actor: Staff): Promise<Visible<StudentRow>[]> {
      const found = await findAll(ids, actor)
      await note({ kind: 'sheet', count: ids.length, ids: [...ids] }, actor)
      return found
    },

    // A print is reported by the browser.
    async note(print: PrintNote, actor: Staff): Promise<void> {
      const { access } = actor
      const named = print.ids && [...new Set(print.ids.map((id) => id.toLowerCase()))]
      const isPossible = named
        ? (await countSeen(print.kind, named, access)) === named.length
        : await repository.hasAtLeast(print.count, access)
      if (!isPossible) throw new AppError('conflict', someMissing)
      await note(print, actor)
    },
  }

  // A class list of an earlier term has students who are in another component by now; a sheet has a whole record.
  async function countSeen(kind: PrintNote['kind'], ids: readonly string[], access: Access): Promise<number> {
    if (kind === 'list') return await repository.countListed(ids, access)
    return await createStudentChangesRepository(database.db, access).count(ids)
  }
}
