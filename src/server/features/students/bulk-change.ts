import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { RecordEntry } from '#server/lib/audit.ts'
import { commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { oneOf } from '#shared/field-rules.ts'
import { nstpComponents, storedYearLevelLabels, yearLevelLabel } from '#shared/students/student-choices.ts'
import type { BulkField } from '#shared/students/student-edit.ts'
import { createStudentChangesRepository, type FieldChange } from './change-repository.ts'
import { missingSentence, readChoices, type StudentChangesOptions, undoMs } from './change-service.ts'

const batchSize = 500

interface BulkChange {
  ids: readonly string[]
  field: BulkField
  value: string
}

/** One field of many students, each with its audit entry. */
export function createBulkChanges(options: StudentChangesOptions) {
  const { database, clock, offer } = options

  /** As it is stored. */
  async function validChoice(db: Queryable, field: BulkField, value: string): Promise<FieldChange['after']> {
    const { courses, academicYears } = await readChoices(db, offer())
    const offered = {
      nstpComponent: nstpComponents,
      yearLevel: storedYearLevelLabels,
      course: courses,
      academicYear: academicYears,
    }
    const message = oneOf(field, () => offered[field])(value)
    if (message) throw new AppError('invalid', { errors: [{ path: 'value', message }] })
    return field === 'yearLevel' ? storedYearLevelLabels.indexOf(value) + 1 : value
  }

  return {
    async preview({ ids, field, value }: BulkChange) {
      const after = await validChoice(database.db, field, value)
      const rows = await createStudentChangesRepository(database.db).countValues(ids, field)
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
    async change({ ids, field, value }: BulkChange, actor: Actor) {
      const uniqueIds = [...new Set(ids)]
      const id = createId()
      const count = await commitChange(
        options,
        'students',
        async (tx, record) => {
          const after = await validChoice(tx, field, value)
          const students = await createStudentChangesRepository(tx).lockField(uniqueIds, field)
          const missing = uniqueIds.length - students.length
          if (missing > 0) throw new AppError('conflict', missingSentence(missing, 'changed'))
          const changes = students.flatMap((row) => (row.before === after ? [] : { ...row, after }))
          await setField(tx, record, { field, changes, actor, bulkChange: id })
          return changes.length
        },
        { long: true },
      )
      return { id, count }
    },

    /** Records that were changed or deleted since are left alone. */
    async undo(id: string, actor: Actor) {
      return await commitChange(
        options,
        'students',
        async (tx, record) => {
          const students = createStudentChangesRepository(tx)
          const since = new Date(clock().getTime() - undoMs)
          const entries = await students.findBulkChange(id, actor.adminId, since)
          const field = entries[0]?.field
          if (!field) throw new AppError('not_found', 'This change can no longer be undone.')
          const noted = new Map(entries.map((entry) => [entry.studentId, entry]))
          const changes = (await students.lockField([...noted.keys()], field)).flatMap((row) => {
            const { version, before: after } = noted.get(row.id) ?? {}
            return row.version === version && after != null ? { ...row, after } : []
          })
          await setField(tx, record, { field, changes, actor })
          return { count: changes.length, skipped: entries.length - changes.length }
        },
        { long: true },
      )
    },
  }
}

interface FieldChanges {
  field: BulkField
  changes: readonly FieldChange[]
  actor: Actor
  bulkChange?: string
}

async function setField(
  tx: Queryable,
  record: (entries: readonly RecordEntry[]) => Promise<void>,
  { field, changes, actor, bulkChange }: FieldChanges,
): Promise<void> {
  const students = createStudentChangesRepository(tx)
  for (const after of new Set(changes.map((change) => change.after))) {
    const same = changes.filter((change) => change.after === after)
    for (let start = 0; start < same.length; start += batchSize) {
      const batch = same.slice(start, start + batchSize)
      await students.setField(
        batch.map(({ id }) => id),
        field,
        after,
      )
      await record(
        batch.map(({ id, reference, version, before }) => ({
          action: 'student-edited',
          actor,
          studentId: id,
          subject: reference,
          fields: [field],
          values: { before: { [field]: before }, after: { [field]: after } },
          // By these an undo finds the records that nobody changed since.
          detail: bulkChange ? { bulkChange, version: version + 1 } : {},
        })),
      )
    }
  }
}
