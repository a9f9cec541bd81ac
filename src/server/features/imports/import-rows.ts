import { v7 as createId, validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Audit } from '#server/lib/audit.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Topic } from '#shared/topics.ts'
import { createImportsRepository, type StoredImport } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { createRecordsRepository, manyRecords, tidyStudents } from './records-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

const batchSize = 500

export interface ImportingOptions {
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
      // Somebody may have enlisted since the rows were checked.
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
          // Once in millions a reference is taken already: those records get another one.
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
  uploaded: 'Please choose the columns of this file first.',
  checking: 'The rows of this file are still being checked.',
  checked: 'This file has not been imported yet.',
  importing: 'This file is being imported at the moment.',
  imported: 'This file has been imported already.',
  undone: 'This import was undone. Please check its rows again first.',
}

export function importNotFound(): AppError {
  return new AppError('not_found', { detail: 'Import not found' })
}

/** @throws AppError `conflict` when the rows of the file are gone */
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
