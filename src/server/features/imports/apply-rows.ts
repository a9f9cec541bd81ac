import type { Queryable } from '#server/database/schema.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Audit } from '#server/lib/audit.ts'
import { batchesOf } from '#server/lib/paging.ts'
import { createImportsRepository, type StoredImport, type WorkOrder } from './imports-repository.ts'
import { createListRowsRepository } from './list-rows-repository.ts'
import { matchList, type OpenList } from './match-rows.ts'
import { createRowsRepository } from './rows-repository.ts'

const batchSize = 500

/** Applies all rows in one transaction, or none, by the students as they are by then. */
export async function runList(
  { job, access, advance, finish }: WorkOrder,
  list: OpenList,
  { database, audit, clock, publish }: Pick<AppContext, 'database' | 'audit' | 'clock' | 'publish'>,
): Promise<void> {
  await database.transact(
    async (tx) => {
      const rows = createListRowsRepository(tx)
      const { reason } = job
      await list.purpose.lock(tx, { aboutId: list.aboutId, access, reason })
      await matchList(tx, list, access)
      const cause = { importId: job.id, aboutId: list.aboutId, at: clock(), actor: job.actor, access, reason }
      const studentIds: string[] = []
      for await (const batch of batchesOf((after) => rows.ready(job.id, after, batchSize))) {
        await list.purpose.apply(tx, batch, cause)
        studentIds.push(...batch.map(({ recordId }) => recordId))
        await advance({ progress: studentIds.length })
      }
      await createRowsRepository(tx).count(job.id)
      if (studentIds.length === 0) {
        const failure = 'Nothing was changed: no row agrees with a student any more. Please look at the rows.'
        return finish({ state: 'checked', failure }, tx)
      }
      if (job.actor) {
        await audit.record(tx, {
          action: 'list-applied',
          actor: job.actor,
          subject: job.fileName,
          studentIds,
          detail: { rows: job.rowCount, import: job.id },
        })
      }
      const importedAt = cause.at
      await finish({ state: 'imported', importedCount: studentIds.length, importedAt, undoneAt: null }, tx)
    },
    { long: true },
  )
  for (const topic of list.purpose.topics) publish(topic)
}

export async function undoList(
  tx: Queryable,
  job: StoredImport,
  list: OpenList,
  { audit, actor, at }: { audit: Audit; actor: Staff; at: Date },
): Promise<void> {
  const own = { aboutId: list.aboutId, access: actor.access }
  await list.purpose.lock(tx, own)
  const cause = { ...own, importId: job.id, at, actor }
  const studentIds = await list.purpose.undo(tx, cause)
  await audit.record(tx, {
    action: 'list-undone',
    actor,
    subject: job.fileName,
    studentIds,
    detail: { import: job.id },
  })
  await createImportsRepository(tx).update(job.id, { state: 'undone', undoneAt: at })
}
