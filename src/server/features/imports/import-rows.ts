import { v7 as createId } from 'uuid'
import type { Audit } from '#server/audit.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Topic } from '#shared/topics.ts'
import { createImportsRepository } from './imports-repository.ts'
import { createMatchesRepository } from './matches-repository.ts'
import { createRecordsRepository, manyRecords, tidyStudents } from './records-repository.ts'
import { createRowsRepository } from './rows-repository.ts'
import { WorkLost, type WorkOrder } from './work.ts'

/** Records made at a time. */
const batchSize = 500

export interface ImportingOptions {
  database: AppDatabase
  audit: Audit
  clock: () => Date
  /** Makes what a student keeps and quotes. */
  createReference: () => string
  publish: (topic: Topic) => void
}

/**
 * Makes records of all ready rows, in one transaction: all of them, or none. Its progress is written beside the
 * transaction, so that others see it.
 */
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
          // Once in millions somebody has a reference already: those get another one.
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
