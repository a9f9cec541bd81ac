import type { AppDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ExpiredRecords } from '#shared/settings/settings.ts'
import type { Topic } from '#shared/topics.ts'
import { createRetentionRepository } from './repository.ts'

interface RetentionServiceOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  // Read at each call, because settings may change.
  years: () => number
}

/** RA 10173, section 11 (e): only on the coordinator's decision. */
export function createRetentionService({ database, clock, audit, publish, years }: RetentionServiceOptions) {
  function limit(): Date {
    const before = new Date(clock())
    before.setUTCFullYear(before.getUTCFullYear() - years())
    return before
  }

  return {
    async expired(): Promise<ExpiredRecords> {
      const before = limit()
      const count = await createRetentionRepository(database.db).countArchivedBefore(before)
      return { years: years(), before: before.toISOString(), count }
    },

    /**
     * @param count the number that the coordinator confirmed
     * @throws AppError `conflict` when it is another by now
     */
    async deleteExpired(count: number, actor: Actor): Promise<number> {
      const retentionYears = years()
      const before = limit()
      const deleted = await database.transact(
        async (tx) => {
          const ids = await createRetentionRepository(tx).deleteArchivedBefore(before)
          if (ids.length !== count) {
            throw new AppError('conflict', {
              detail: `There are now ${ids.length} such records. Nothing was deleted. Please check the number and try again.`,
            })
          }
          if (ids.length === 0) return 0
          await audit.record(tx, {
            action: 'student-deleted',
            actor,
            studentIds: ids,
            detail: { reason: 'retention', years: retentionYears },
          })
          return ids.length
        },
        { long: true },
      )
      if (deleted > 0) publish('students')
      return deleted
    },
  }
}
