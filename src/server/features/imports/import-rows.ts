import { v7 as createId, validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ImportChange } from '#shared/imports/imports.ts'
import { storedYearLevelLabels } from '#shared/students/student-choices.ts'
import type { Topic } from '#shared/topics.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { createRecordsRepository, manyRecords, tidyStudents } from './records-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { createUpdatesRepository } from './updates-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

const batchSize = 500

interface ImportingOptions {
  database: AppDatabase
  audit: Audit
  clock: () => Date
  createReference: () => string
  publish: (topic: Topic) => void
}

/** One transaction, all or nothing. Progress is written outside of it, so that others see it. */
export async function importRows(
  { job, token, advance }: WorkOrder,
  options: ImportingOptions,
): Promise<void> {
  const { database, audit, clock, createReference, publish } = options
  const now = clock()

  const importedCount = await database.transact(
    async (tx) => {
      const rows = createRowsRepository(tx)
      const records = createRecordsRepository(tx)
      // Students may have enlisted since the rows were checked.
      await createMatchesRepository(tx).mark(job.id, null)
      const ids: string[] = []
      for (let last = 0; ; ) {
        const numbers = await rows.readyAfter(job.id, last, batchSize)
        if (numbers.length === 0) break
        last = numbers.at(-1) ?? last
        let wanted = numbers.map((number) => ({ number, id: createId(), reference: createReference() }))
        ids.push(...wanted.map(({ id }) => id))
        while (wanted.length > 0) {
          const made = new Set(
            await records.insert(wanted, { importId: job.id, now, consentedAt: job.consentedAt ?? now }),
          )
          // Once in millions a reference is in use: those records get another one.
          wanted = wanted
            .filter(({ id }) => !made.has(id))
            .map((record) => ({ ...record, reference: createReference() }))
        }
        await advance({ progress: ids.length })
      }
      await rows.count(job.id)
      if (job.actor) {
        await audit.record(tx, {
          action: 'students-imported',
          actor: job.actor,
          subject: job.fileName,
          studentIds: ids,
          affected: ids.length,
          detail: { rows: job.rowCount, import: job.id },
        })
      }
      const outcome = {
        state: 'imported',
        importedCount: ids.length,
        importedAt: now,
        undoneAt: null,
      } as const
      if (!(await createImportsRepository(tx).finish(job.id, token, outcome))) throw new WorkLost()
      return ids.length
    },
    { long: true },
  )
  publish('students')
  if (importedCount >= manyRecords) await tidyStudents(database)
}

type State = StoredImport['state']

export const stateSentences: Record<State, string> = {
  uploaded: 'Please match the columns of this file first.',
  checking: 'The rows of this file are still being checked.',
  checked: 'This file has not been imported yet.',
  importing: 'This file is being imported.',
  imported: 'This file was already imported.',
  undone: 'This import was undone. Please check its rows again first.',
}

export function importNotFound(): AppError {
  return new AppError('not_found', { detail: 'Import not found' })
}

/** @throws AppError `conflict` when the rows of the file were deleted */
export function refuseWithoutRows({ rowsDeletedAt }: StoredImport): void {
  if (rowsDeletedAt === null) return
  throw new AppError('conflict', {
    detail: 'The rows of this file have been deleted. Please upload it again.',
  })
}

/**
 * Locks the import.
 * @throws AppError `not_found`, or `conflict` with the step that has to come first
 */
export type ChangeImport = <T>(
  id: string,
  states: readonly State[],
  run: (tx: Queryable, found: StoredImport) => Promise<T>,
  options?: { long?: boolean },
) => Promise<T>

export function createChangeImport({
  database,
  publish,
}: {
  database: AppDatabase
  publish: (topic: Topic) => void
}): ChangeImport {
  return async (id, states, run, { long = false } = {}) => {
    if (!isUuid(id)) throw importNotFound()
    const result = await database.transact(
      async (tx) => {
        const found = await createImportsRepository(tx).findForChange(id)
        if (!found) throw importNotFound()
        if (!states.includes(found.state)) {
          throw new AppError('conflict', { detail: stateSentences[found.state] })
        }
        return run(tx, found)
      },
      { long },
    )
    publish('imports')
    return result
  }
}

const updateRecordsBatchSize = 500

const changedSince = 'This record was changed since the check. Please save the row to check it again.'

/**
 * Writes the changes of the ready rows to their records, in one transaction: all of them, or none. When a record was
 * changed since the check, none: its row becomes a problem, to be checked against the current values.
 */
export async function updateRecords(
  { job, token, advance }: WorkOrder,
  { database, audit, clock, publish }: ImportingOptions,
): Promise<void> {
  const updated = await database.transact(
    async (tx) => {
      const imports = createImportsRepository(tx)
      const changed = await createUpdatesRepository(tx).lock(job.id)
      if (changed.length > 0) {
        const rows = createRowsRepository(tx)
        await rows.report(job.id, changed, job.updateBy ?? 'reference', changedSince)
        await rows.count(job.id)
        const failure = `Nothing was updated. ${changedSentence(changed.length, 'the check')} Please look at the rows with problems.`
        if (!(await imports.finish(job.id, token, { state: 'checked', failure }))) throw new WorkLost()
        return 0
      }
      const count = await applyAll(tx, job, 'after', {
        audit,
        actor: job.actor,
        onProgress: (progress) => advance({ progress }),
      })
      if (job.actor) {
        await audit.record(tx, {
          action: 'students-updated',
          actor: job.actor,
          subject: job.fileName,
          affected: count,
          detail: { rows: job.rowCount, import: job.id },
        })
      }
      const outcome = {
        state: 'imported',
        importedCount: count,
        importedAt: clock(),
        undoneAt: null,
      } as const
      if (!(await imports.finish(job.id, token, outcome))) throw new WorkLost()
      return count
    },
    { long: true },
  )
  if (updated === 0) return
  publish('students')
  if (updated >= manyRecords) await tidyStudents(database)
}

/**
 * Puts the old values back into the records of an update, all or none. Deleted records are left out.
 *
 * @throws AppError `conflict` when a field of the update was changed since: the newer value would be lost
 */
export async function restoreRecords(
  tx: Queryable,
  job: StoredImport,
  { audit, actor }: { audit: Audit; actor: Actor },
): Promise<{ restored: number; deleted: number }> {
  const updates = createUpdatesRepository(tx)
  await updates.lockAll(job.id)
  const { changed, deleted } = await updates.countChanged(job.id)
  if (changed > 0) {
    throw new AppError('conflict', {
      detail:
        `${changedSentence(changed, 'the import')} So nothing was undone: newer values would be lost. ` +
        'The audit trail has the old values of each record.',
    })
  }
  return { restored: await applyAll(tx, job, 'before', { audit, actor }), deleted }
}

interface ApplyOptions {
  audit: Audit
  actor: Actor | null
  onProgress?: (done: number) => Promise<void>
}

async function applyAll(
  tx: Queryable,
  { id }: StoredImport,
  which: 'before' | 'after',
  { audit, actor, onProgress }: ApplyOptions,
): Promise<number> {
  const updates = createUpdatesRepository(tx)
  let count = 0
  for (let last = 0; ; ) {
    const batch = await updates.after(id, last, updateRecordsBatchSize)
    if (batch.length === 0) return count
    last = batch.at(-1)?.number ?? last
    const numbers = batch.map(({ number }) => number)
    await updates.apply(id, numbers, which)
    if (actor) {
      const other = which === 'after' ? 'before' : 'after'
      await audit.recordEach(
        tx,
        batch.map(({ recordId, reference, changes }) => ({
          action: 'student-updated',
          actor,
          studentId: recordId,
          subject: reference,
          fields: changes.map(({ path }) => path),
          values: { before: valuesOf(changes, other), after: valuesOf(changes, which) },
          detail: { import: id },
        })),
      )
    }
    count += batch.length
    await onProgress?.(count)
  }
}

function valuesOf(changes: readonly ImportChange[], which: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(
    changes.map((change) => [
      change.path,
      change.path === 'yearLevel' ? storedYearLevelLabels.indexOf(change[which]) + 1 : change[which],
    ]),
  )
}

function changedSentence(count: number, since: string): string {
  const records = count === 1 ? '1 record was' : `${count} records were`
  return `${records} changed since ${since}.`
}
