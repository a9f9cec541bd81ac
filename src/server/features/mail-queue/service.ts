import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Forecasts } from '#server/mail/forecasts.ts'
import { createQueueRepository } from '#server/mail/queue-repository.ts'
import { dayMs, type Quotas } from '#server/mail/quota.ts'
import { createQuotaRepository } from '#server/mail/quota-repository.ts'
import { type MailCounts, type MailQueueStatus, mailStates } from '#shared/mail.ts'

interface MailQueueOptions {
  db: Queryable
  clock: Clock
  quotas: () => Quotas
  forecasts: Forecasts
  /** Why nothing goes out at the moment; '' when it does. */
  trouble: () => string
}

export type MailQueueService = ReturnType<typeof createMailQueueService>

/** How far the outgoing mail is. */
export function createMailQueueService({ db, clock, quotas, forecasts, trouble }: MailQueueOptions) {
  const queue = createQueueRepository(db)
  const quota = createQuotaRepository(db)

  async function counts(now: Date): Promise<MailCounts> {
    const known = new Map<string, number>(
      (await queue.counts(new Date(now.getTime() - dayMs))).map(({ state, count }) => [state, count]),
    )
    const countOf = (state: string) => known.get(state) ?? 0
    const [queued, sending, sent, failed, unknown, cancelled] = mailStates.map(countOf)
    return {
      queued: queued ?? 0,
      sending: sending ?? 0,
      sent: sent ?? 0,
      failed: failed ?? 0,
      unknown: unknown ?? 0,
      cancelled: cancelled ?? 0,
    }
  }

  return {
    async status(): Promise<MailQueueStatus> {
      const now = clock()
      const limits = quotas()
      const [byState, spent, finishesAt] = await Promise.all([
        counts(now),
        quota.count(now, limits),
        forecasts.ofQueue(),
      ])
      return {
        counts: byState,
        trouble: trouble(),
        sentToday: spent.inDay,
        ...limits,
        finishesAt: finishesAt?.toISOString() ?? null,
      }
    },
  }
}
