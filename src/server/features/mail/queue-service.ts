import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { MailQueueStatus } from '#shared/mail/mail.ts'
import { bulkPerDay } from '#shared/mail/mail-quota.ts'
import type { MailOutcome } from './mailer.ts'
import {
  createQueueRepository,
  createQuotaRepository,
  dayMs,
  minuteMs,
  type Quotas,
  type Waiting,
} from './queue-repository.ts'

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

interface ForecastsOptions {
  db: Queryable
  clock: Clock
  quotas: () => Quotas
  /** Whether the mail server is in trouble: nobody can tell then when it takes mail again. */
  isHeldUp: () => boolean
}

type Forecasts = ReturnType<typeof createForecasts>

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

/** What the quotas have let through, and what is still to go. */
export interface Outlook {
  now: Date
  /** When each was sent that counts within the last day, oldest first; what is under way counts as sent now. */
  sent: readonly Date[]
  /** What goes first, and what goes to many. */
  urgent: number
  bulk: number
}

/**
 * When the last of the messages will be sent: as soon as the quotas let it go.
 *
 * @returns null when nothing is left to be sent
 */
export function forecastFinish(
  { now, sent, urgent, bulk }: Outlook,
  { perDay, perMinute }: Quotas,
): Date | null {
  if (urgent + bulk === 0) return null
  const times = sent.map((time) => time.getTime())
  let last = now.getTime()
  for (let index = 0; index < urgent + bulk; index++) {
    const dayLimit = index < urgent ? perDay : bulkPerDay(perDay)
    last = Math.max(last, freeAt(times, perMinute, minuteMs), freeAt(times, dayLimit, dayMs))
    times.push(last)
  }
  return new Date(last)
}

/** When fewer than `limit` of these fall into a span of time. */
function freeAt(times: readonly number[], limit: number, spanMs: number): number {
  const blocking = times[times.length - limit]
  return blocking === undefined ? 0 : blocking + spanMs
}

/** What a deleted message is told as. */
const gone: MailOutcome = { state: 'cancelled', failure: 'The message was deleted before it was sent.' }

interface OutcomesOptions {
  db: Queryable
  log: Logger
  /** Why a new message won't go out soon; '' when it will. */
  obstacle: () => string
}

export type Outcomes = ReturnType<typeof createOutcomes>

/** Who waits to hear how a message ended. */
export function createOutcomes({ db, log, obstacle }: OutcomesOptions) {
  const waiting = new Map<string, Set<(outcome: MailOutcome) => void>>()
  let reading: Promise<void> | undefined
  // Somebody looked while the ledger was being read.
  let isStale = false

  function tell(id: string, outcome: MailOutcome): void {
    for (const resolve of waiting.get(id) ?? []) resolve(outcome)
    waiting.delete(id)
  }

  async function read(id: string): Promise<MailOutcome> {
    const [found] = await createOutcomesRepository(db).read([id])
    return found ? { state: found.state, failure: found.failure } : gone
  }

  async function readWaiting(): Promise<void> {
    const found = await createOutcomesRepository(db).read([...waiting.keys()])
    for (const { id, state, failure } of found) {
      const isOver = state !== 'queued' && state !== 'sending'
      if (isOver || failure !== '') tell(id, { state, failure })
    }
  }

  function look(): void {
    isStale = reading !== undefined
    if (waiting.size === 0 || reading) return
    reading = readWaiting()
      // Whoever waits looks by itself when the time is over.
      .catch((error: unknown) => log.warn({ code: codeOf(error) }, 'the ends of messages not read'))
      .finally(() => {
        reading = undefined
        if (isStale) look()
      })
  }

  return {
    /** Tells those who wait for a message how it ended, or that it will take longer. */
    tell,

    /** Tells all who wait for a message that isn't under way here why it will take longer. */
    tellObstacle(isUnderWay: (id: string) => boolean): void {
      const failure = obstacle()
      if (failure === '') return
      for (const id of waiting.keys()) {
        if (!isUnderWay(id)) tell(id, { state: 'queued', failure })
      }
    },

    /** Looks what other processes have sent. */
    look,

    /** As `Mailer.outcomeOf`. */
    async of(id: string, withinMs: number): Promise<MailOutcome> {
      const failure = obstacle()
      if (failure) return { state: 'queued', failure }
      let timer: NodeJS.Timeout | undefined
      const told = new Promise<MailOutcome>((resolve) => {
        const all = waiting.get(id) ?? new Set()
        waiting.set(id, all.add(resolve))
        timer = setTimeout(() => {
          all.delete(resolve)
          if (all.size === 0) waiting.delete(id)
          read(id).then(resolve, () => resolve({ state: 'queued', failure: '' }))
        }, withinMs)
      })
      // It may have ended before anybody waited.
      look()
      return told.finally(() => clearTimeout(timer))
    },
  }
}

/** How messages stand in the ledger. */
function createOutcomesRepository(db: Queryable) {
  return {
    async read(ids: readonly string[]): Promise<(MailOutcome & { id: string })[]> {
      // The primary key.
      return db.selectFrom('mailMessages').select(['id', 'state', 'failure']).where('id', 'in', ids).execute()
    },
  }
}
