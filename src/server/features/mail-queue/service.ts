import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Forecasts } from '#server/mail/ledger/forecasts.ts'
import { createQueueRepository } from '#server/mail/ledger/queue-repository.ts'
import { dayMs, type Quotas } from '#server/mail/ledger/quota.ts'
import { createQuotaRepository } from '#server/mail/ledger/quota-repository.ts'
import type { MailQueueStatus } from '#shared/mail.ts'

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

  return {
    async status(): Promise<MailQueueStatus> {
      const now = clock()
      const limits = quotas()
      const [counts, spent, finishesAt] = await Promise.all([
        queue.counts(new Date(now.getTime() - dayMs)),
        quota.count(now, limits),
        forecasts.ofQueue(),
      ])
      return {
        counts,
        trouble: trouble(),
        sentToday: spent.inDay,
        ...limits,
        finishesAt: finishesAt?.toISOString() ?? null,
      }
    },
  }
}
