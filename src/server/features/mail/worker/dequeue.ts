import { v4 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Priority } from '#server/features/mail/ledger-repository.ts'
import type { SendingContext } from '#server/features/mail/mail-context.ts'
import {
  type ClaimedMessage,
  createClaimsRepository,
  createQuotaRepository,
  dayMs,
  minuteMs,
  nothingSpent,
  type Quotas,
} from '#server/features/mail/queue-repository.ts'
import { bulkPerDay, codesPerDay, welcomesPerDay } from '#shared/mail/mail-quota.ts'

// ms: longer than an attempt can take.
export const claimMs = 90_000
const minWaitMs = 1_000
// messages: with more than this left of the quotas they are counted once a second, because counting for each message would cost more than sending.
const largeBudget = 2_000
const budgetCacheMs = 1_000

export type Dequeued =
  | { message: ClaimedMessage }
  | { message: null; nextAt: Date | null; fullQuota: 'day' | 'minute' | null }

export function createDequeue({ database, clock, quotas, publicAddress }: SendingContext) {
  // Claims whose commit failed: they may have been stored.
  const inDoubt = new Set<string>()
  let holdsWelcomes = false
  // ms of a monotonic clock.
  let cachedBudget: (Quotas & { until: number }) | undefined

  function hasLargeBudget({ perDay, perMinute }: Quotas): boolean {
    if (!cachedBudget || performance.now() >= cachedBudget.until) return false
    return cachedBudget.perDay === perDay && cachedBudget.perMinute === perMinute
  }

  async function release(): Promise<void> {
    const claims = [...inDoubt]
    if (claims.length === 0) return
    await database.transact(async (tx) => {
      const repository = createClaimsRepository(tx)
      // Race: the transaction whose commit failed may still run; it holds the lock.
      await repository.lock()
      for (const claim of claims) await repository.release(claim)
    })
    for (const claim of claims) inDoubt.delete(claim)
  }

  // Serialised over all processes by the lock, in its own transaction.
  async function claimNext(tx: Queryable, claim: string): Promise<Dequeued> {
    const now = clock()
    const claims = createClaimsRepository(tx)
    await claims.lock()
    const quota = createQuotaRepository(tx)
    const limits = quotas()
    const spent = hasLargeBudget(limits) ? nothingSpent : await quota.count(now, limits)
    holdsWelcomes = spent.welcomes >= welcomesPerDay(limits.perDay)
    if (budgetLeft(spent, limits) > largeBudget && spent !== nothingSpent) {
      cachedBudget = { ...limits, until: performance.now() + budgetCacheMs }
    }
    const slotAt = async (windowMs: number, limit: number) =>
      (await quota.freeAt(now, windowMs, limit - spent.sending)) ?? new Date(now.getTime() + minWaitMs)

    if (spent.sending + spent.inMinute >= limits.perMinute) {
      return { message: null, fullQuota: 'minute', nextAt: await slotAt(minuteMs, limits.perMinute) }
    }
    if (spent.sending + spent.inDay >= limits.perDay) {
      return { message: null, fullQuota: 'day', nextAt: await slotAt(dayMs, limits.perDay) }
    }
    const bulkLimit = bulkPerDay(limits.perDay)
    const isBulkSpent = spent.sending + spent.inDay >= bulkLimit
    // It was queued while there was an address for its link to unsubscribe, or by a version that asked for none.
    const isUrgentOnly = isBulkSpent || publicAddress() === ''
    const until = new Date(now.getTime() + claimMs)
    const message = await claims.claimNext(
      claim,
      now,
      until,
      allowedPriorities({
        isUrgentOnly,
        holdsWelcomes,
        holdsCodes: spent.codes >= codesPerDay(limits.perDay),
      }),
    )
    if (message) return { message }
    const times = [await claims.nextTime(now), isBulkSpent ? await slotAt(dayMs, bulkLimit) : null]
    return { message: null, fullQuota: null, nextAt: earliest(times) }
  }

  return {
    // Whether welcome mail had used up its share of the day at the last look.
    holdsWelcomes: () => holdsWelcomes,

    async next(): Promise<Dequeued> {
      await release()
      const claim = createId()
      try {
        return await database.transact((tx) => claimNext(tx, claim))
      } catch (error) {
        inDoubt.add(claim)
        throw error
      }
    },
  }
}

function allowedPriorities({ isUrgentOnly, holdsWelcomes, holdsCodes }: Record<string, boolean>): Priority[] {
  return [
    ...(holdsCodes ? [] : [-2 as const]),
    -1,
    ...(holdsWelcomes ? [] : [0 as const]),
    ...(isUrgentOnly ? [] : [1 as const]),
  ]
}

function budgetLeft(spent: typeof nothingSpent, { perDay, perMinute }: Quotas) {
  const { sending, inMinute, inDay, welcomes, codes } = spent
  return (
    Math.min(
      ...[perMinute - inMinute, bulkPerDay(perDay) - inDay],
      ...[welcomesPerDay(perDay) - welcomes, codesPerDay(perDay) - codes],
    ) - sending
  )
}

function earliest(times: (Date | null)[]): Date | null {
  const given = times.flatMap((time) => (time === null ? [] : [time.getTime()]))
  return given.length === 0 ? null : new Date(Math.min(...given))
}
