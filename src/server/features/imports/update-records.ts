import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ImportChange } from '#shared/imports/imports.ts'
import { heldYearLevelLabels } from '#shared/students/student-choices.ts'
import type { ImportingOptions } from './import-rows.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { manyRecords, tidyStudents } from './records-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { createUpdatesRepository } from './updates-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

const batchSize = 500

const changedSince = 'This record was changed since the check. Please save the row to check it again.'

/**
 * Writes what the ready rows change into their records, in one transaction: all of them, or none. When a record was
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
    const batch = await updates.after(id, last, batchSize)
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
      change.path === 'yearLevel' ? heldYearLevelLabels.indexOf(change[which]) + 1 : change[which],
    ]),
  )
}

function changedSentence(count: number, since: string): string {
  const records = count === 1 ? '1 record was' : `${count} records were`
  return `${records} changed since ${since}.`
}
