import { deleteRecords } from '#server/features/privacy/erasure-repository.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createRetentionRepository } from './retention-repository.ts'

/** RA 10173, section 11 (e): only on the coordinator's decision. */
export function createRetentionService(
  options: ChangeContext & Pick<AppContext, 'timeZone'> & { years: () => number },
) {
  const { database, clock, timeZone, years } = options

  function limit(): Date {
    const before = new Date(clock())
    before.setUTCFullYear(before.getUTCFullYear() - years())
    return before
  }

  return {
    async expired() {
      const before = limit()
      const retention = createRetentionRepository(database.db)
      const today = clock()
      const [count, cleanedUpAt] = await Promise.all([
        retention.countArchivedBefore(before),
        retention.findStoppedCleanUp(today),
      ])
      return { years: years(), before, count, stopped: cleanedUpAt && { cleanedUpAt, today } }
    },

    /** A clock that ran ahead would delete what has not expired. */
    mayCleanUp: (): Promise<boolean> => createRetentionRepository(database.db).noteCleanUp(clock()),

    confirmDate: (actor: Actor): Promise<void> =>
      commitChange(options, 'settings', async (tx, record) => {
        await createRetentionRepository(tx).confirmCleanUp(clock())
        await record({ action: 'date-confirmed', actor })
      }),

    // The number is what the coordinator confirmed.
    deleteExpired(count: number, actor: Actor): Promise<number> {
      const detail = { reason: 'retention', years: years() }
      const before = limit()
      return commitChange(
        options,
        'students',
        async (tx, record) => {
          const ids = await createRetentionRepository(tx).lockArchivedBefore(before)
          if (ids.length !== count) {
            throw new AppError(
              'conflict',
              `There are now ${ids.length} such records. Nothing was deleted. Please check the number and try again.`,
            )
          }
          const closedOn = calendarDateOf(clock(), timeZone)
          await deleteRecords({ tx, record }, ids, { actor, closedOn })
          if (count > 0) await record({ action: 'student-deleted', actor, studentIds: ids, detail })
          return count
        },
        { long: true },
      )
    },
  }
}
