import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { type EnrolmentCause, followComponent } from '#server/features/terms/enrolment-service.ts'
import type { Access } from '#server/lib/access.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { RecordEntry } from '#server/lib/audit.ts'
import { commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { oneOf } from '#shared/field-rules.ts'
import { nstpComponents, storedYearLevelLabels, yearLevelLabel } from '#shared/students/student-choices.ts'
import { type BulkField, bulkFields } from '#shared/students/student-edit.ts'
import { createStudentChangesRepository, type FieldChange } from './change-repository.ts'
import { missingSentence, mustInclude, readChoices, type StudentChangesOptions } from './change-service.ts'
import { createUndoRepository } from './undo-repository.ts'

const batchSize = 500

interface BulkChange {
  ids: readonly string[]
  field: BulkField
  value: string
}

/** One field of many students, each with its audit entry. */
export function createBulkChanges(options: StudentChangesOptions) {
  const { database, clock, timeZone, offer, publish } = options
  const causeOf = ({ adminId }: Staff): EnrolmentCause => ({ at: clock(), timeZone, adminId })

  /** As it is stored. */
  async function validChoice(
    db: Queryable,
    access: Access,
    { field, value }: Omit<BulkChange, 'ids'>,
  ): Promise<FieldChange['after']> {
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
      return {
        total: rows.reduce((sum, { count }) => sum + count, 0),
        changes: rows
          .filter(({ before }) => before !== after)
          .map(({ before, count }) => ({
            before: typeof before === 'number' ? yearLevelLabel(before) : before,
            count,
          })),
      }
    },

    // All or nothing.
    async change({ ids, field, value }: BulkChange, actor: Staff) {
      const uniqueIds = [...new Set(ids)]
      const id = createId()
      const changed = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const after = await validChoice(tx, actor.access, { field, value })
          const students = await createStudentChangesRepository(tx, actor.access).lockField(uniqueIds, field)
          const missing = uniqueIds.length - students.length
          if (missing > 0) throw new AppError('conflict', missingSentence(missing, 'changed'))
          const changes = students.flatMap((row) => (row.before === after ? [] : { ...row, after }))
          const moved = await setField(tx, record, { field, changes, actor, cause: causeOf(actor) })
          const kept = changes.map(({ id: studentId, version, before }) => ({
            studentId,
            version: version + 1,
            before: { [field]: before },
          }))
          await createUndoRepository(tx).keep(id, { at: clock(), actor }, kept)
          return { count: changes.length, moved }
        },
        { long: true },
      )
      if (field === 'nstpComponent' && changed.count > 0) publish('terms')
      return { id, ...changed }
    },

    /** Records that were changed since are left alone. */
    async undo(id: string, actor: Staff) {
      const { field, ...undone } = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const students = createStudentChangesRepository(tx, actor.access)
          const kept = (await createUndoRepository(tx).take(id, clock())).filter(
            ({ adminId, dropped }) => adminId === actor.adminId && !dropped,
          )
          const field = bulkFields.find((name) => kept.some(({ before }) => name in before))
          if (!field) throw new AppError('not_found', 'This change can no longer be undone.')
          const noted = new Map(kept.map((row) => [row.studentId, row]))
          const changes = (await students.lockField([...noted.keys()], field)).flatMap((row) => {
            const { version, before } = noted.get(row.id) ?? {}
            const after = before?.[field]
            return row.version === version && after !== undefined ? { ...row, after } : []
          })
          if (field === 'nstpComponent')
            for (const { after } of changes) mustInclude(actor.access, String(after))
          await setField(tx, record, { field, changes, actor, cause: causeOf(actor) })
          return { field, count: changes.length, skipped: kept.length - changes.length }
        },
        { long: true },
      )
      if (field === 'nstpComponent') publish('terms')
      return undone
    },
  }
}

interface FieldChanges {
  field: BulkField
  changes: readonly FieldChange[]
  actor: Staff
  cause: EnrolmentCause
}

/** @returns how many enrolments moved with their students */
async function setField(
  tx: Queryable,
  record: (entries: readonly RecordEntry[]) => Promise<void>,
  { field, changes, actor, cause }: FieldChanges,
): Promise<number> {
  const students = createStudentChangesRepository(tx, actor.access)
  let moved = 0
  for (const after of new Set(changes.map((change) => change.after))) {
    const same = changes.filter((change) => change.after === after)
    for (let start = 0; start < same.length; start += batchSize) {
      const batch = same.slice(start, start + batchSize)
      const ids = batch.map(({ id }) => id)
      await students.setField(ids, field, after)
      if (field === 'nstpComponent') moved += (await followComponent(tx, ids, cause)).length
      await record(
        batch.map(({ id, reference, before }) => ({
          action: 'student-edited',
          actor,
          studentId: id,
          subject: reference,
          fields: [field],
          values: { before: { [field]: before }, after: { [field]: after } },
        })),
      )
    }
  }
  return moved
}
