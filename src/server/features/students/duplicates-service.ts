import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { createMessageOwnersRepository } from '#server/features/mail/ledger-repository.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { StudentRecord } from '#shared/students/student.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentMerge } from '#shared/students/students.ts'
import type { Topic } from '#shared/topics.ts'
import { createDuplicatesRepository, createStudentChangesRepository } from './change-repository.ts'
import { presentRecord } from './change-service.ts'
import type { StudentRow } from './repository.ts'

interface DuplicatesOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type Duplicates = ReturnType<typeof createDuplicates>

export function createDuplicates({ database, clock, publish, audit }: DuplicatesOptions) {
  return {
    /** @throws AppError `not_found` */
    async find(id: string, actor: Actor): Promise<StudentRecord[]> {
      const { db } = database
      if (!isUuid(id) || !(await createStudentChangesRepository(db).exists(id))) throw notFound()
      const rows = await createDuplicatesRepository(db).find(id)
      for (const row of rows) {
        await audit.recordView(db, {
          action: 'student-viewed',
          actor,
          studentId: row.id,
          subject: row.reference,
        })
      }
      return rows.map(presentRecord)
    },

    /** @throws AppError `not_found`; `conflict` when one of them was changed since */
    async merge(merge: StudentMerge, actor: Actor): Promise<StudentRecord> {
      const { keepId, keepVersion, dropId, dropVersion, take } = merge
      const merged = await database.transact(async (tx) => {
        const [target, dropped] = await lockBoth(tx, keepId, dropId)
        if (target.version !== keepVersion || dropped.version !== dropVersion) throw new AppError('conflict')
        const fields = studentFieldNames.filter(
          (field) => take[field] === 'drop' && target[field] !== dropped[field],
        )
        const students = createStudentChangesRepository(tx)
        // Before the record's deletion would delete it: queued mail is still to be sent.
        await createMessageOwnersRepository(tx).move(dropId, keepId)
        await students.remove(dropId)
        const record = await students.update(keepId, pick(dropped, fields))
        await audit.record(tx, {
          action: 'students-merged',
          actor,
          studentId: keepId,
          studentIds: [keepId, dropId],
          subject: target.reference,
          fields,
          detail: { dropped: dropped.reference },
          values: { before: { target, dropped }, after: { target: record } },
        })
        return record
      })
      publish('students')
      return presentRecord(merged)
    },

    /** @throws AppError `not_found` */
    async dismiss(ids: readonly [string, string], actor: Actor): Promise<void> {
      const isNew = await database.transact(async (tx) => {
        const records = await lockBoth(tx, ...ids)
        const isNew = await createDuplicatesRepository(tx).markDifferent(ids, clock())
        if (isNew) {
          const subject = records.map(({ reference }) => reference).join(', ')
          await audit.record(tx, { action: 'duplicate-dismissed', actor, studentIds: ids, subject })
        }
        return isNew
      })
      if (isNew) publish('students')
    },
  }
}

// Lock order: always the same, so that two calls can't deadlock.
async function lockBoth(tx: Queryable, one: string, other: string): Promise<[StudentRow, StudentRow]> {
  const records = new Map<string, StudentRow>()
  for (const id of [one, other].sort()) {
    const record = await createStudentChangesRepository(tx).lock(id)
    if (record) records.set(id, record)
  }
  const [first, second] = [records.get(one), records.get(other)]
  if (!first || !second) throw notFound()
  return [first, second]
}

function pick(record: StudentRow, fields: readonly StudentField[]): Partial<Pick<StudentRow, StudentField>> {
  return Object.fromEntries(fields.map((field) => [field, record[field]]))
}

const notFound = () => new AppError('not_found', { detail: 'Student not found' })
