import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { type EnrolmentCause, followBack, followComponent } from '#server/features/terms/enrolment-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import { commitChange, mustInclude, pick, type RecordChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { missingSentence } from '#server/lib/missing-students.ts'
import { oneOf } from '#shared/field-rules.ts'
import { nstpComponents, storedYearLevelLabels, yearLevelLabel } from '#shared/students/student-choices.ts'
import type { BulkField } from '#shared/students/student-edit.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { createStudentChangesRepository, type FieldsChange, type FieldValues } from './change-repository.ts'
import { readChoices, type StudentChangesOptions } from './change-service.ts'
import { createUndoRepository } from './undo-repository.ts'

const batchSize = 500

interface BulkChange {
  ids: readonly string[]
  field: BulkField
  value: string
}

/** Changes one field of many students, each with its audit entry. */
export function createBulkChanges(options: Omit<StudentChangesOptions, 'region'>) {
  const { database, clock, timeZone, offer, publish } = options
  const causeOf = ({ adminId }: Staff): EnrolmentCause => ({ at: clock(), timeZone, adminId })

  /** Returns the value as the database stores it. */
  async function validChoice(
    db: Queryable,
    access: Access,
    { field, value }: Omit<BulkChange, 'ids'>,
  ): Promise<string | number> {
    const { courses, academicYears } = await readChoices(db, access, offer())
    const offered = {
      nstpComponent: nstpComponents,
      yearLevel: storedYearLevelLabels,
      course: courses,
      academicYear: academicYears,
    }
    const message = oneOf(field, () => offered[field])(value)
    if (message) throw new AppError('invalid', { errors: [{ path: 'value', message }] })
    if (field === 'nstpComponent') mustInclude(access, value)
    return field === 'yearLevel' ? storedYearLevelLabels.indexOf(value) + 1 : value
  }

  return {
    async preview({ ids, field, value }: BulkChange, access: Access) {
      const after = await validChoice(database.db, access, { field, value })
      const rows = await createStudentChangesRepository(database.db, access).countValues(ids, field)
      const totalOf = (wanted: boolean) =>
        rows.reduce((sum, { isBlocked, count }) => (isBlocked === wanted ? sum + count : sum), 0)
      return {
        total: totalOf(false),
        blocked: totalOf(true),
        changes: rows
          .filter(({ before, isBlocked }) => before !== after && !isBlocked)
          .map(({ before, count }) => ({
            before: typeof before === 'number' ? yearLevelLabel(before) : before,
            count,
          })),
      }
    },

    // Changes all records or none. Blocked records are no failure: they stay as they are.
    async change({ ids, field, value }: BulkChange, actor: Staff) {
      const uniqueIds = [...new Set(ids)]
      const id = createId()
      const changed = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const after = await validChoice(tx, actor.access, { field, value })
          const students = await createStudentChangesRepository(tx, actor.access).lockFields(uniqueIds, [
            field,
          ])
          const missing = uniqueIds.length - students.length
          if (missing > 0) throw new AppError('conflict', missingSentence(missing, 'changed'))
          const free = students.filter(({ isBlocked }) => !isBlocked)
          const changes = free.flatMap((row) =>
            row.before[field] === after ? [] : { ...row, after: { [field]: after } },
          )
          const moved = await setAndKeep(tx, record, { id, changes, actor, cause: causeOf(actor) })
          return { count: changes.length, moved, blocked: students.length - free.length }
        },
        { long: true },
      )
      if (field === 'nstpComponent' && changed.count > 0) publish('terms')
      return { id, ...changed }
    },

    /** Records that were changed since are left alone. */
    async undo(id: string, actor: Staff) {
      const { movesAnybody, ...undone } = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const kept = (await createUndoRepository(tx).take(id, clock())).filter(
            ({ adminId, dropped }) => adminId === actor.adminId && !dropped,
          )
          const fields = studentFieldNames.filter((name) => kept.some(({ before }) => name in before))
          if (fields.length === 0) throw new AppError('not_found', 'This change can no longer be undone.')
          const noted = new Map(kept.map((row) => [row.studentId, row]))
          const students = createStudentChangesRepository(tx, actor.access)
          const changes = (await students.lockFields([...noted.keys()], fields)).flatMap((row) => {
            const { version, before } = noted.get(row.id) ?? {}
            const after =
              before &&
              pick<FieldValues, StudentField>(
                before,
                fields.filter((name) => name in before),
              )
            return row.version === version && !row.isBlocked && after ? { ...row, after } : []
          })
          for (const { nstpComponent } of changes.map(({ after }) => after))
            if (nstpComponent !== undefined) mustInclude(actor.access, String(nstpComponent))
          const moved = await setFields(tx, record, { changes, actor, cause: causeOf(actor) }, followBack)
          return {
            movesAnybody: fields.includes('nstpComponent'),
            count: changes.length,
            skipped: kept.length - changes.length,
            moved,
          }
        },
        { long: true },
      )
      if (movesAnybody) publish('terms')
      return undone
    },
  }
}

interface FieldChanges {
  changes: readonly FieldsChange[]
  actor: Staff
  cause: EnrolmentCause
}

/**
 * Changes only students who are still at the version that was seen. The account that made the change may undo it by its id.
 * @returns how many were changed
 */
export async function setUndoably(
  tx: Queryable,
  record: RecordChange,
  {
    id,
    wanted,
    actor,
    cause,
  }: Omit<FieldChanges, 'changes'> & {
    id: string
    wanted: ReadonlyMap<string, { version: number; after: FieldValues }>
  },
): Promise<number> {
  const fields = [...new Set([...wanted.values()].flatMap(({ after }) => fieldsOf(after)))]
  if (fields.length === 0) return 0
  const students = createStudentChangesRepository(tx, actor.access)
  const changes = (await students.lockFields([...wanted.keys()], fields)).flatMap((row) => {
    const own = wanted.get(row.id)
    return own?.version === row.version && !row.isBlocked ? { ...row, after: own.after } : []
  })
  await setAndKeep(tx, record, { id, changes, actor, cause })
  return changes.length
}

/** @returns how many enrolments moved with their students */
async function setAndKeep(
  tx: Queryable,
  record: RecordChange,
  { id, ...change }: FieldChanges & { id: string },
): Promise<number> {
  if (change.changes.length === 0) return 0
  const moved = await setFields(
    tx,
    record,
    change,
    async (...moving) => (await followComponent(...moving)).length,
  )
  const kept = change.changes.map(({ id: studentId, version, before, after }) => ({
    studentId,
    version: version + 1,
    before: pick<FieldValues, StudentField>(before, fieldsOf(after)),
  }))
  await createUndoRepository(tx).keep(id, { at: change.cause.at, actor: change.actor }, kept)
  return moved
}

const fieldsOf = (values: FieldValues) => studentFieldNames.filter((name) => values[name] !== undefined)

/** @param follow with the students, their enrolments; it returns how many go on without their section */
async function setFields(
  tx: Queryable,
  record: RecordChange,
  { changes, actor, cause }: FieldChanges,
  follow: typeof followBack,
): Promise<number> {
  const students = createStudentChangesRepository(tx, actor.access)
  const fields = studentFieldNames.filter((name) => changes.some(({ after }) => after[name] !== undefined))
  let moved = 0
  for (let start = 0; start < changes.length; start += batchSize) {
    const batch = changes.slice(start, start + batchSize)
    await students.setFields(batch, fields)
    const elsewhere = batch.filter(({ after }) => after.nstpComponent !== undefined).map(({ id }) => id)
    if (elsewhere.length > 0) moved += await follow(tx, elsewhere, cause)
    await record(
      batch.map(({ id, reference, before, after }) => ({
        action: 'student-edited',
        actor,
        studentId: id,
        subject: reference,
        fields: fieldsOf(after),
        values: { before: pick(before, fieldsOf(after)), after },
      })),
    )
  }
  return moved
}
