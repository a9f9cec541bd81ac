import { validate as isUuid } from 'uuid'
import * as z from 'zod/mini'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { createMessageOwnersRepository } from '#server/features/mail/ledger-repository.ts'
import type { Actor } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange, mustBeCurrent, pick } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import {
  changedFields,
  createStudentEditSchema,
  type EditBasis,
  type StudentEdit,
  type ValidStudentEdit,
} from '#shared/students/student-edit.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import type { PrintNote, StudentMerge } from '#shared/students/student-response.ts'
import { createDuplicatesRepository, createStudentChangesRepository } from './change-repository.ts'
import { createChoicesRepository, createStudentsRepository, type StudentRow } from './repository.ts'

const missing = 'Student not found'

const actionOf = (archived: boolean) => (archived ? 'student-archived' : 'student-unarchived')

async function lock(tx: Queryable, id: string, version?: number): Promise<StudentRow> {
  const row = isUuid(id) ? await createStudentChangesRepository(tx).lock(id) : undefined
  return mustBeCurrent(row, missing, version)
}

interface StudentChangesOptions extends ChangeContext {
  timeZone: string
  // Read at each call, because settings may change.
  offer: () => Pick<EditBasis, 'courses' | 'academicYears'>
}

export function createStudentChanges(options: StudentChangesOptions) {
  const { clock, timeZone, offer } = options

  async function setArchived(id: string, archived: boolean, actor: Actor): Promise<StudentRow> {
    return await commitChange(options, 'students', async (tx, record) => {
      const current = await lock(tx, id)
      if (current.archived === archived) return current
      await record({ action: actionOf(archived), actor, studentId: id, subject: current.reference })
      const archivedDate = archived ? clock() : null
      return await createStudentChangesRepository(tx).update(id, { archived, archivedDate })
    })
  }

  return {
    async edit(id: string, version: number, edit: StudentEdit, actor: Actor): Promise<StudentRow> {
      return await commitChange(options, 'students', async (tx, record) => {
        const current = await lock(tx, id, version)
        const { courses, academicYears } = offer()
        const records = createChoicesRepository(tx)
        const valid = validEdit(edit, {
          courses: [...courses, ...(await records.courses())],
          academicYears: [...academicYears, ...(await records.academicYears())],
          registered: calendarDateOf(current.registrationDate, timeZone),
          stored: current,
        })
        const fields = changedFields(valid, current)
        if (fields.length === 0) return current
        const values = {
          before: pick(current, fields),
          after: Object.fromEntries(fields.map((field) => [field, valid[field]])),
        }
        await record({
          ...{ action: 'student-edited', actor, studentId: current.id, subject: current.reference },
          ...{ fields, values },
        })
        return await createStudentChangesRepository(tx).update(current.id, values.after)
      })
    },

    archive: (id: string, actor: Actor) => setArchived(id, true, actor),

    unarchive: (id: string, actor: Actor) => setArchived(id, false, actor),

    async delete(id: string, actor: Actor): Promise<void> {
      await commitChange(options, 'students', async (tx, record) => {
        const { reference } = await lock(tx, id)
        await createStudentChangesRepository(tx).remove(id)
        await record({ action: 'student-deleted', actor, studentId: id, subject: reference })
      })
    },
  }
}

function validEdit(edit: StudentEdit, basis: EditBasis): ValidStudentEdit {
  const { data, error } = z.safeParse(createStudentEditSchema(basis), edit)
  if (data) return data
  const errors = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new AppError('invalid', { errors })
}

/** All or nothing. */
export function createStudentBulkChanges(context: ChangeContext) {
  const setArchived = (archived: boolean) =>
    async function set(ids: readonly string[], actor: Actor) {
      const uniqueIds = [...new Set(ids)]
      const changed = await commitChange(
        context,
        'students',
        async (tx, record) => {
          const students = createStudentChangesRepository(tx)
          const changed = await students.setArchived(uniqueIds, archived ? context.clock() : null)
          // Counted after the change has locked them: none can be deleted in between.
          const missing = uniqueIds.length - (await students.count(uniqueIds))
          if (missing > 0) throw new AppError('conflict', { detail: missingSentence(missing, archived) })
          if (changed.length > 0) await record({ action: actionOf(archived), actor, studentIds: changed })
          return changed
        },
        // Twenty thousand records take longer than a request's statement may.
        { long: true },
      )
      return { count: changed.length, ids: changed }
    }

  return { archive: setArchived(true), unarchive: setArchived(false) }
}

function missingSentence(missing: number, archived: boolean): string {
  const which =
    missing === 1
      ? '1 of the selected students no longer exists'
      : `${missing} of the selected students no longer exist`
  return `${which}, so nothing was ${archived ? 'archived' : 'unarchived'}. Please reload the list and select again.`
}

export function createDuplicates(context: ChangeContext) {
  return {
    async find(id: string, actor: Actor): Promise<StudentRow[]> {
      const { database, audit } = context
      if (!isUuid(id) || (await createStudentChangesRepository(database.db).count([id])) === 0) {
        throw new AppError('not_found', missing)
      }
      const rows = await createDuplicatesRepository(database.db).find(id)
      for (const { id, reference } of rows) {
        const entry = { action: 'student-viewed', actor, studentId: id, subject: reference } as const
        await audit.recordView(database.db, entry)
      }
      return rows
    },

    async merge(merge: StudentMerge, actor: Actor): Promise<StudentRow> {
      const { keepId, keepVersion, dropId, dropVersion, take } = merge
      return await commitChange(context, 'students', async (tx, record) => {
        const [target, dropped] = await lockBoth(tx, keepId, dropId)
        if (target.version !== keepVersion || dropped.version !== dropVersion) throw new AppError('conflict')
        const fields = studentFieldNames.filter(
          (field) => take[field] === 'drop' && target[field] !== dropped[field],
        )
        const students = createStudentChangesRepository(tx)
        // Before the record's deletion would delete it: queued mail is still to be sent.
        await createMessageOwnersRepository(tx).move(dropId, keepId)
        await students.remove(dropId)
        const after = await students.update(keepId, pick(dropped, fields))
        await record({
          action: 'students-merged',
          actor,
          studentId: keepId,
          studentIds: [keepId, dropId],
          subject: target.reference,
          fields,
          detail: { dropped: dropped.reference },
          values: { before: { target, dropped }, after: { target: after } },
        })
        return after
      })
    },

    async dismiss(ids: readonly [string, string], actor: Actor): Promise<void> {
      await commitChange(context, 'students', async (tx, record) => {
        const records = await lockBoth(tx, ...ids)
        if (!(await createDuplicatesRepository(tx).markDifferent(ids, context.clock()))) return
        const subject = records.map(({ reference }) => reference).join(', ')
        await record({ action: 'duplicate-dismissed', actor, studentIds: ids, subject })
      })
    },
  }
}

// Lock order: always the same, so that two calls can't deadlock.
async function lockBoth(tx: Queryable, one: string, other: string): Promise<[StudentRow, StudentRow]> {
  const isInOrder = one < other
  const first = await lock(tx, isInOrder ? one : other)
  const second = await lock(tx, isInOrder ? other : one)
  return isInOrder ? [first, second] : [second, first]
}

interface StudentPrintsOptions extends Pick<ChangeContext, 'audit'> {
  database: AppDatabase
  timeZone: string
}

export function createStudentPrints({ database, audit, timeZone }: StudentPrintsOptions) {
  const repository = createStudentsRepository(database, timeZone)
  async function note({ kind, count, ids }: PrintNote, actor: Actor): Promise<void> {
    const of = ids?.length === 1 && ids[0] ? { studentId: ids[0] } : ids && { studentIds: ids }
    const entry = { action: 'students-printed', actor, ...of, affected: count, detail: { kind } } as const
    await audit.record(database.db, entry)
  }

  return {
    async sheets(ids: readonly string[], actor: Actor): Promise<StudentRow[]> {
      const byId = new Map((await repository.findMany(ids)).map((row) => [row.id, row]))
      const found = ids.flatMap((id) => byId.get(id) ?? [])
      if (found.length < ids.length) {
        throw new AppError(
          'conflict',
          'Some of the selected students no longer exist. Please reload the list and select again.',
        )
      }
      await note({ kind: 'sheet', count: ids.length, ids: [...ids] }, actor)
      return found
    },

    // A print is reported by the browser.
    note,
  }
}
