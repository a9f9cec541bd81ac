import { v4 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import {
  type ClaimedMessage,
  createClaimsRepository,
  createQuotaRepository,
  dayMs,
  minuteMs,
  type Quotas,
  type Spent,
} from '#server/features/mail/queue-repository.ts'
import type { Clock } from '#server/lib/clock.ts'
import { bulkPerDay } from '#shared/mail/mail-quota.ts'

// ms: longer than an attempt can take.
const claimMs = 90_000
// ms
const soonMs = 1_000
// Far below the quotas the ledger is counted once a second: counting for each message would cost more than sending.
const manyPlaces = 2_000
const countAgainMs = 1_000

export type Dequeued =
  | { message: ClaimedMessage }
  | { message: null; nextAt: Date | null; fullQuota: 'day' | 'minute' | null }

interface TurnsOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  quotas: () => Quotas
}

export type Dequeue = ReturnType<typeof createDequeue>

export function createDequeue({ database, clock, quotas }: TurnsOptions) {
  // Claims whose commit failed: they may be stored.
  const doubtful = new Set<string>()
  // ms of a monotonic clock.
  let plenty: (Quotas & { until: number }) | undefined

  function hasPlenty({ perDay, perMinute }: Quotas): boolean {
    if (!plenty || performance.now() >= plenty.until) return false
    return plenty.perDay === perDay && plenty.perMinute === perMinute
  }

  async function giveBack(): Promise<void> {
    const claims = [...doubtful]
    if (claims.length === 0) return
    await database.transact(async (tx) => {
      const repository = createClaimsRepository(tx)
      // A transaction that nobody heard the end of may still be under way: it holds the lock.
      await repository.lock()
      for (const claim of claims) await repository.giveBack(claim)
    })
    for (const claim of claims) doubtful.delete(claim)
  }

  // Runs alone among all processes, in its own transaction.
  async function take(tx: Queryable, claim: string): Promise<Dequeued> {
    const now = clock()
    const claims = createClaimsRepository(tx)
    await claims.lock()
    const quota = createQuotaRepository(tx)
    const limits = quotas()
    const spent = hasPlenty(limits) ? nothingSpent : await quota.count(now, limits)
    if (placesLeft(spent, limits) > manyPlaces && spent !== nothingSpent) {
      plenty = { ...limits, until: performance.now() + countAgainMs }
    }
    const placeAt = async (windowMs: number, limit: number) =>
      (await quota.freeAt(now, windowMs, limit - spent.sending)) ?? new Date(now.getTime() + soonMs)

    if (spent.sending + spent.inMinute >= limits.perMinute) {
      return { message: null, fullQuota: 'minute', nextAt: await placeAt(minuteMs, limits.perMinute) }
    }
    if (spent.sending + spent.inDay >= limits.perDay) {
      return { message: null, fullQuota: 'day', nextAt: await placeAt(dayMs, limits.perDay) }
    }
    const bulkLimit = bulkPerDay(limits.perDay)
    const isUrgentOnly = spent.sending + spent.inDay >= bulkLimit
    const until = new Date(now.getTime() + claimMs)
    const message = await claims.claimNext({ claim, now, until, isUrgentOnly })
    if (message) return { message }
    const times = [await claims.nextTime(now), isUrgentOnly ? await placeAt(dayMs, bulkLimit) : null]
    return { message: null, fullQuota: null, nextAt: earliest(times) }
  }

  return {
    async next(): Promise<Dequeued> {
      await giveBack()
      const claim = createId()
      try {
        return await database.transact((tx) => take(tx, claim))
      } catch (error) {
        doubtful.add(claim)
        throw error
      }
    },
  }
}

const nothingSpent: Spent = { sending: 0, inMinute: 0, inDay: 0 }

function placesLeft({ sending, inMinute, inDay }: Spent, { perDay, perMinute }: Quotas): number {
  return Math.min(perMinute - inMinute, bulkPerDay(perDay) - inDay) - sending
}

function earliest(times: (Date | null)[]): Date | null {
  const known = times.flatMap((time) => (time === null ? [] : [time.getTime()]))
  return known.length === 0 ? null : new Date(Math.min(...known))
}
