import type { Transaction } from 'kysely'
import type { Notices } from '#server/database/notices.ts'
import type { Tables } from '#server/database/schema.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createTask } from '#server/lib/scheduler.ts'
import {
  addChanges,
  addSearchWords,
  changesPerRun,
  needRebuild,
  rebuildCounts,
  removeZeroes,
  vacuumChanges,
} from './maintenance.ts'

// Changes are collected for so many ms before they are added to the counts.
const gatherMs = 1_000
// The check finds what another process or a failed run left.
const checkEveryMs = 60_000
const vacuumAfterChanges = 1_000

/** Maintains the counts of students, and their search's index. Readers are exact without it, only slower. */
export function createCountWorker(
  context: Pick<AppContext, 'database' | 'timeZone' | 'log'> & { notices: Pick<Notices, 'subscribe'> },
) {
  const { database, notices, timeZone, log } = context

  let isClosed = false

  async function catchUp(): Promise<void> {
    let total = 0
    for (let taken = changesPerRun; taken === changesPerRun && !isClosed; total += taken) {
      taken = await database.transact(addChanges)
    }
    if (total > vacuumAfterChanges) await vacuumChanges(database.db)
    if (isClosed || !(await needRebuild(database.db, timeZone))) return
    const startedAt = performance.now()
    // Checked again inside: another process may have done it meanwhile.
    const rebuild = async (tx: Transaction<Tables>) => {
      if (await needRebuild(tx, timeZone)) await rebuildCounts(tx, timeZone)
    }
    await database.transact(rebuild, { long: true, isolation: 'repeatable read' })
    await vacuumChanges(database.db)
    log.info({ ms: Math.round(performance.now() - startedAt) }, 'students counted again')
  }

  const changes = { topic: 'students', gatherMs, notices, log } as const
  const counting = createTask({
    ...changes,
    name: 'counting students',
    run: catchUp,
    everyMs: checkEveryMs,
  })
  // The index has a separate task: an edit that changes no count has words too, and a failure must not keep the counts waiting.
  const indexing = createTask({
    ...changes,
    name: "adding words to the search's index",
    run: () => addSearchWords(database.db),
  })

  return {
    /** Adds all pending changes, or rebuilds the counts where needed; then follows new changes. */
    start: counting.start,
    sweep: () => removeZeroes(database.db),
    async close(): Promise<void> {
      isClosed = true
      await Promise.all([counting.close(), indexing.close()])
    },
  }
}
