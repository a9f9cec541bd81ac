import { finished } from 'node:stream'
import * as z from 'zod/mini'
import type { Queryable } from '#server/database/schema.ts'
import { moveMailOfStudent } from '#server/features/mail/ledger-repository.ts'
import { erase } from '#server/features/privacy/erasure-repository.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, commitChange, mustBeCurrent, mustExist, pick } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { after } from '#server/lib/scheduler.ts'
import type { StudentAudience } from '#shared/mail/mail-batch.ts'
import { datesOf, type PeriodCalendar, periodRange } from '#shared/periods.ts'
import type { CorrectionReason, Restriction } from '#shared/privacy/privacy.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Settings } from '#shared/settings/settings.ts'
import {
  changedFields,
  createStudentEditSchema,
  type EditBasis,
  type StudentEdit,
  type ValidStudentEdit,
} from '#shared/students/student-edit.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import type { PrintNote, StudentMerge, StudentPage } from '#shared/students/student-response.ts'
import {
  defaultStudentFilters,
  maxBulkStudents,
  type StudentFilters,
  type StudentListQuery,
} from '#shared/students/students.ts'
import { createDuplicatesRepository, createStudentChangesRepository } from './change-repository.ts'
import { openExport, openExportInThread } from './export.ts'
import type { StudentSelection } from './filter-and-order-repository.ts'
import {
  type AddressedStudent,
  createChoicesRepository,
  createStudentsRepository,
  createUnseenRepository,
  readAddressed,
  readWithAddresses,
  type StudentRow,
} from './repository.ts'

// Each uses a connection of the pool that backups use.
const maxExports = 2
// ms: an export keeps a snapshot open.
const exportLimitMs = 10 * 60_000

interface StudentsServiceOptions
  extends Pick<AppContext, 'database' | 'audit' | 'clock' | 'timeZone' | 'exportThread'> {
  // Read at each call, because settings may change.
  settings: () => Pick<Settings, 'semesters'>
}

export function createStudentsService(options: StudentsServiceOptions) {
  const { database, clock, timeZone, settings, audit, exportThread } = options
  const repository = createStudentsRepository(database, timeZone)
  const duplicates = createDuplicatesRepository(database.db)
  let exportsRunning = 0

  function calendar(): PeriodCalendar {
    return { now: clock(), timeZone, semesters: settings().semesters }
  }

  async function selectionOf({
    period,
    duplicates: which,
    ...filters
  }: StudentFilters): Promise<StudentSelection> {
    const duplicateIds = which === 'only' ? await duplicates.findAll() : undefined
    return { ...filters, registered: periodRange(period, calendar()), ids: duplicateIds }
  }

  function periodDates(period: StudentFilters['period']) {
    const range = periodRange(period, calendar())
    return range && datesOf(range, calendar())
  }

  async function openWorkbook(filters: StudentFilters, ids?: readonly string[]) {
    const selection = { ...(await selectionOf(filters)), unrestricted: filters.missing !== 'permission' }
    if (ids && (await createStudentChangesRepository(database.db).count(ids)) < ids.length) {
      throw new AppError('conflict', someMissing)
    }
    const request = { selection: ids ? { ...selection, ids } : selection, created: clock(), timeZone }
    return exportThread ? openExportInThread(exportThread, request) : openExport(database, request)
  }

  return {
    /** @returns a `StudentPage` as JSON */
    async list({ page, pageSize, ...filters }: StudentListQuery, actor: Actor): Promise<string> {
      const { search, ...detail } = filters
      const offset = (page - 1) * pageSize
      const { items, total } = await repository.list(await selectionOf(filters), { limit: pageSize, offset })
      const affected = Math.max(0, Math.min(pageSize, total - offset))
      const entry = { action: 'students-listed', actor, affected } as const
      await audit.recordView(
        database.db,
        { ...entry, detail: { ...detail, searched: search !== '' } },
        `${search} ${offset} ${pageSize}`,
      )
      const rest: Omit<StudentPage, 'items'> = {
        total,
        anyRegistered: total > 0 || (await repository.hasAny()),
        page,
        pageSize,
        periodDates: periodDates(filters.period),
      }
      return `{"items":${items},${JSON.stringify(rest).slice(1)}`
    },

    ...createChoicesRepository(database.db),

    unseen: createUnseenRepository(database.db),

    async activeIds({ search, ...detail }: StudentFilters, actor: Actor) {
      const filters = { ...detail, search }
      const ids = await repository.activeIds(await selectionOf(filters), maxBulkStudents + 1)
      if (ids.length > maxBulkStudents) {
        const most = maxBulkStudents.toLocaleString('en-US')
        throw new AppError(
          'too_big',
          `The list has more than ${most} students, too many to select at once. Please narrow it down.`,
        )
      }
      const entry = { action: 'students-listed', actor, affected: ids.length } as const
      await audit.recordView(database.db, {
        ...entry,
        detail: { ...detail, searched: search !== '', idsOnly: true },
      })
      return { ids, total: ids.length }
    },

    async read(id: string, actor: Actor) {
      const row = mustExist(await repository.find(id), 'Student not found')
      await audit.recordView(database.db, {
        action: 'student-viewed',
        actor,
        studentId: row.id,
        subject: row.reference,
      })
      return row
    },

    /**
     * The caller must read the workbook to its end or destroy it.
     * @param selected only these of the filters' students
     */
    async export(filters: StudentFilters, actor: Actor, selected?: readonly string[]) {
      if (exportsRunning >= maxExports) {
        const detail = 'Other exports are still being downloaded. Please try again in a moment.'
        throw new AppError('too_many_requests', { detail, retryAfter: 10 })
      }
      const ids = selected && [...new Set(selected)]
      exportsRunning += 1
      const { total, workbook } = await openWorkbook(filters, ids).catch((error: unknown) => {
        exportsRunning -= 1
        throw error
      })
      const cancelLimit = after(exportLimitMs, () => {
        workbook.destroy(new AppError('unavailable', 'The export took too long.'))
      })
      // However it ends: read to the end, broken off by the browser, or failed.
      finished(workbook, () => {
        cancelLimit()
        exportsRunning -= 1
      })
      try {
        // The search text may be a person's name, so only the fact of a search is stored.
        const { search, ...detail } = filters
        await audit.record(database.db, {
          ...{ action: 'students-exported', actor, affected: total },
          ...(ids ? { studentIds: ids } : { detail: { ...detail, searched: search !== '' } }),
        })
      } catch (error) {
        workbook.destroy()
        throw error
      }
      return { fileName: `NSTP students ${calendarDateOf(clock(), timeZone)}.xlsx`, workbook }
    },
  }
}

export function createStudentMailing({
  clock,
  timeZone,
  settings,
}: Pick<StudentsServiceOptions, 'clock' | 'timeZone' | 'settings'>) {
  function selectionOf({ component, academicYear, course, archive, period, ids }: StudentAudience) {
    const { duplicates: _notAsked, ...defaults } = defaultStudentFilters
    const calendar = { now: clock(), timeZone, semesters: settings().semesters }
    return {
      ...defaults,
      component: component ?? defaults.component,
      academicYear: academicYear ?? defaults.academicYear,
      course: course || defaults.course,
      archive: archive ?? defaults.archive,
      registered: periodRange(period ?? defaultStudentFilters.period, calendar),
      ids,
    }
  }

  return {
    /** @param lock locks the students until the transaction `db` ends */
    addressed: (
      db: Queryable,
      audience: StudentAudience,
      limits: { limit: number; lock: boolean },
    ): Promise<AddressedStudent[]> => readAddressed(db, selectionOf(audience), limits),

    withAddresses: readWithAddresses,
  }
}

const missing = 'Student not found'
// ms: longer than the screens offer it.
export const undoMs = 10 * 60_000
const someMissing = 'Some of the selected students no longer exist. Please reload the list and select again.'

const actionOf = (archived: boolean) => (archived ? 'student-archived' : 'student-unarchived')

async function lock(tx: Queryable, id: string, version?: number): Promise<StudentRow> {
  return mustBeCurrent(await createStudentChangesRepository(tx).lock(id), missing, version)
}

export interface StudentChangesOptions extends ChangeContext, Pick<AppContext, 'secretKey'> {
  timeZone: string
  // Read at each call, because settings may change.
  offer: () => Pick<EditBasis, 'courses' | 'academicYears'>
}

/** Of settings and records. */
export async function readChoices(
  db: Queryable,
  { courses, academicYears }: ReturnType<StudentChangesOptions['offer']>,
) {
  const records = createChoicesRepository(db)
  return {
    courses: [...courses, ...(await records.courses())],
    academicYears: [...academicYears, ...(await records.academicYears())],
  }
}

export function createStudentChanges(options: StudentChangesOptions) {
  const { clock, timeZone, offer } = options

  return {
    async edit(
      id: string,
      version: number,
      { reason, ...edit }: StudentEdit & { reason?: CorrectionReason | undefined },
      actor: Actor,
    ): Promise<StudentRow> {
      return await commitChange(options, 'students', async (tx, record) => {
        const current = await lock(tx, id, version)
        const valid = validEdit(edit, {
          ...(await readChoices(tx, offer())),
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
          ...{ fields, values, detail: reason ? { reason } : {} },
        })
        return await createStudentChangesRepository(tx).update(current.id, values.after)
      })
    },

    async setArchived(id: string, archived: boolean, actor: Actor): Promise<StudentRow> {
      return await commitChange(options, 'students', async (tx, record) => {
        const current = await lock(tx, id)
        if (current.archived === archived) return current
        await record({ action: actionOf(archived), actor, studentId: id, subject: current.reference })
        const archivedDate = archived ? clock() : null
        return await createStudentChangesRepository(tx).update(id, { archived, archivedDate })
      })
    },

    /** RA 10173, section 16 (b), (e). Queued bulk mail is cancelled before it would be sent. */
    async restrict(id: string, restriction: Restriction | null, actor: Actor): Promise<StudentRow> {
      return await commitChange(options, 'students', async (tx, record) => {
        const current = await lock(tx, id)
        if (current.restriction === restriction) return current
        const detail = { restriction }
        await record({
          action: 'student-restricted',
          actor,
          studentId: id,
          subject: current.reference,
          detail,
        })
        return await createStudentChangesRepository(tx).update(id, { restriction })
      })
    },

    // All or nothing.
    async setArchivedOfMany(ids: readonly string[], archived: boolean, actor: Actor) {
      const uniqueIds = [...new Set(ids)]
      const changed = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const students = createStudentChangesRepository(tx)
          const changed = await students.setArchived(uniqueIds, archived ? clock() : null)
          // Counted after the change has locked them: none can be deleted in between.
          const missing = uniqueIds.length - (await students.count(uniqueIds))
          if (missing > 0)
            throw new AppError('conflict', missingSentence(missing, archived ? 'archived' : 'unarchived'))
          if (changed.length > 0) await record({ action: actionOf(archived), actor, studentIds: changed })
          return changed
        },
        // Twenty thousand records take longer than a request's statement may.
        { long: true },
      )
      return { count: changed.length, ids: changed }
    },

    /** With all that is held on the person: RA 10173, section 16 (e). */
    async delete(id: string, actor: Actor): Promise<void> {
      await commitChange(options, 'students', async (tx, record) => {
        const { reference } = await lock(tx, id)
        await erase(tx, id, options.secretKey, clock())
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

export function missingSentence(missing: number, change: string): string {
  const which =
    missing === 1
      ? '1 of the selected students no longer exists'
      : `${missing} of the selected students no longer exist`
  return `${which}, so nothing was ${change}. Please reload the list and select again.`
}

export function createDuplicates(context: ChangeContext) {
  return {
    async find(id: string, actor: Actor): Promise<StudentRow[]> {
      const { database, audit } = context
      if ((await createStudentChangesRepository(database.db).count([id])) === 0) {
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
        const mail = await moveMailOfStudent(tx, { from: dropId, to: keepId })
        const origin = await students.remove(dropId)
        const after = await students.update(keepId, {
          ...pick(dropped, fields),
          restriction: target.restriction ?? dropped.restriction,
        })
        await record({
          action: 'students-merged',
          actor,
          studentId: keepId,
          studentIds: [keepId, dropId],
          subject: target.reference,
          fields,
          detail: { dropped: dropped.reference },
          values: { before: { target, dropped: { ...dropped, ...origin }, mail }, after: { target: after } },
        })
        return after
      })
    },

    async undoMerge(dropId: string, actor: Actor): Promise<void> {
      await commitChange(context, 'students', async (tx, record) => {
        const since = new Date(context.clock().getTime() - undoMs)
        const duplicates = createDuplicatesRepository(tx)
        const merge = await duplicates.findMerge(dropId, since)
        const { keptId, fields, before, after } = mustExist(merge, 'This merge can no longer be undone.')
        const { reference } = await lock(tx, keptId, after.target.version)
        await createStudentChangesRepository(tx).update(keptId, {
          ...pick(before.target, fields),
          restriction: before.target.restriction,
        })
        await duplicates.insert(before.dropped)
        await moveMailOfStudent(tx, { from: keptId, to: dropId, ids: before.mail })
        const studentIds = [keptId, dropId]
        await record({
          action: 'merge-undone',
          actor,
          studentId: keptId,
          studentIds,
          subject: reference,
          fields,
        })
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

export function createStudentPrints({
  database,
  audit,
  timeZone,
}: Pick<AppContext, 'database' | 'audit' | 'timeZone'>) {
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
      if (found.length < ids.length) throw new AppError('conflict', someMissing)
      await note({ kind: 'sheet', count: ids.length, ids: [...ids] }, actor)
      return found
    },

    // A print is reported by the browser.
    note,
  }
}
