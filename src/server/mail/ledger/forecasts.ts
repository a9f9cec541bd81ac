import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import { bulkPerDay } from '#shared/mail-quota.ts'
import { forecastFinish } from './forecast.ts'
import { createQueueRepository, type Waiting } from './queue-repository.ts'
import { dayMs, minuteMs, type Quotas } from './quota.ts'
import { createQuotaRepository } from './quota-repository.ts'

interface ForecastsOptions {
  db: Queryable
  clock: Clock
  quotas: () => Quotas
  /** Whether the mail server is in trouble: nobody can tell then when it takes mail again. */
  isHeldUp: () => boolean
}

export type Forecasts = ReturnType<typeof createForecasts>

/** When what waits will be sent, by the quotas. */
export function createForecasts({ db, clock, quotas, isHeldUp }: ForecastsOptions) {
  const queue = createQueueRepository(db)
  const quota = createQuotaRepository(db)

  async function finish({ urgent, bulk, lastNotBefore }: Waiting): Promise<Date | null> {
    if (lastNotBefore === null || isHeldUp()) return null
    const now = clock()
    const limits = quotas()
    const { sending, inDay } = await quota.count(now, limits)
    // Far from the day's quota only the last minute counts.
    const isWithinDay = sending + inDay + urgent + bulk <= bulkPerDay(limits.perDay)
    const sent = await quota.times(now, isWithinDay ? minuteMs : dayMs)
    const outlook = { now, sent: [...sent, ...Array<Date>(sending).fill(now)], urgent, bulk }
    const finished = forecastFinish(outlook, limits)
    return finished && finished > lastNotBefore ? finished : lastNotBefore
  }

  return {
    /** Of everything that waits; null when nothing does, or nobody can tell. */
    ofQueue: async (): Promise<Date | null> => finish(await queue.waiting()),
    /** Of a batch; null when nothing of it waits, or nobody can tell. */
    ofBatch: async (batchId: string): Promise<Date | null> => finish(await queue.waitingUpTo(batchId)),
  }
}
