import type { Actor } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ExpiredRecords } from '#shared/settings/settings.ts'
import { createRetentionRepository } from './repository.ts'

interface RetentionServiceOptions extends ChangeContext {
  // Read at each call, because settings may change.
  years: () => number
}

/** RA 10173, section 11 (e): only on the coordinator's decision. */
export function createRetentionService(options: RetentionServiceOptions) {
  const { database, clock, years } = options

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

    // The number is what the coordinator confirmed.
    deleteExpired(count: number, actor: Actor): Promise<number> {
      const detail = { reason: 'retention', years: years() }
      const before = limit()
      return commitChange(
        options,
        'students',
        async (tx, record) => {
          const ids = await createRetentionRepository(tx).deleteArchivedBefore(before)
          if (ids.length !== count) {
            throw new AppError('conflict', {
              detail: `There are now ${ids.length} such records. Nothing was deleted. Please check the number and try again.`,
            })
          }
          if (count > 0) await record({ action: 'student-deleted', actor, studentIds: ids, detail })
          return count
        },
        { long: true },
      )
    },
  }
}
