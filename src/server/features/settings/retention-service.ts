import type { AppDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ExpiredRecords } from '#shared/settings/settings.ts'
import type { Topic } from '#shared/topics.ts'
import { createRetentionRepository } from './retention-repository.ts'

interface RetentionServiceOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  /** How long a record is kept after it was archived; asked each time, because settings may change it. */
  years: () => number
}

export type RetentionService = ReturnType<typeof createRetentionService>

/** Ends records whose time is over (RA 10173, section 11 (e)): on the coordinator's word, never by itself. */
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
     * Deletes them, all or none.
     *
     * @param count how many the coordinator saw and agreed to
     * @throws AppError `conflict` when they are another number by now
     */
    async deleteExpired(count: number, actor: Actor): Promise<number> {
      const keptYears = years()
      const before = limit()
      const deleted = await database.transact(
        async (tx) => {
          const ids = await createRetentionRepository(tx).deleteArchivedBefore(before)
          if (ids.length !== count) {
            throw new AppError('conflict', {
              detail: `There are ${ids.length} such records now. Nothing was deleted. Please look at the number again.`,
            })
          }
          if (ids.length === 0) return 0
          await audit.record(tx, {
            action: 'student-deleted',
            actor,
            studentIds: ids,
            detail: { reason: 'retention', years: keptYears },
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
