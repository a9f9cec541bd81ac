import type { AppContext } from '#server/lib/app-context.ts'
import { after, createTask } from '#server/lib/scheduler.ts'
import { bulkPerDay } from '#shared/mail/mail-quota.ts'
import type { PublicAddress } from './mail-context.ts'
import type { MailOutcome } from './mailer.ts'
import {
  createQueueRepository,
  createQuotaRepository,
  dayMs,
  minuteMs,
  type Quotas,
  readOutcomes,
  type Waiting,
} from './queue-repository.ts'

interface MailQueueOptions extends Pick<AppContext, 'db' | 'clock'> {
  quotas: () => Quotas
  publicAddress: PublicAddress
  isConfigured: () => boolean
  // '' while mail is sent.
  problem: () => string
  isBlocked: () => boolean
}

export type MailQueueService = ReturnType<typeof createMailQueueService>

export function createMailQueueService(options: MailQueueOptions) {
  const { db, clock, quotas, publicAddress, isConfigured, problem, isBlocked } = options
  const queue = createQueueRepository(db)
  const quota = createQuotaRepository(db)

  async function finish({ urgent, bulk, lastNotBefore }: Waiting): Promise<Date | null> {
    if (lastNotBefore === null || isBlocked() || (bulk > 0 && publicAddress() === '')) return null
    const now = clock()
    const limits = quotas()
    const { sending, inDay } = await quota.count(now, limits)
    // Far below the daily quota only the last minute counts.
    const isWithinDay = sending + inDay + urgent + bulk <= bulkPerDay(limits.perDay)
    const sent = await quota.times(now, isWithinDay ? minuteMs : dayMs)
    const backlog = { now, sent: [...sent, ...Array<Date>(sending).fill(now)], urgent, bulk }
    const finished = forecastFinish(backlog, limits)
    return finished && finished > lastNotBefore ? finished : lastNotBefore
  }

  return {
    finishOfBatch: async (id: string): Promise<Date | null> => finish(await queue.waitingUpTo(id)),

    async status() {
      const limits = quotas()
      const [spent, finishesAt] = await Promise.all([
        quota.count(clock(), limits),
        finish(await queue.waiting()),
      ])
      return {
        isConfigured: isConfigured(),
        hasPublicAddress: publicAddress() !== '',
        trouble: problem(),
        sentToday: spent.inDay,
        ...limits,
        finishesAt,
      }
    },
  }
}

export interface Backlog {
  now: Date
  sent: readonly Date[]
  urgent: number
  bulk: number
}

/**
 * Follows the quotas.
 * @returns null when nothing is left to send
 */
export function forecastFinish({ now, sent, urgent, bulk }: Backlog, { perDay, perMinute }: Quotas) {
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

function freeAt(times: readonly number[], limit: number, spanMs: number): number {
  const blocking = times[times.length - limit]
  return blocking === undefined ? 0 : blocking + spanMs
}

const deleted: MailOutcome = { state: 'cancelled', failure: 'The message was deleted before it was sent.' }

interface OutcomesOptions extends Pick<AppContext, 'db' | 'log'> {
  // Why nothing is sent; '' while mail is sent.
  blocker: () => string
  refreshBlocker: () => Promise<string>
}

export function createOutcomes({ db, log, blocker, refreshBlocker }: OutcomesOptions) {
  const waiting = new Map<string, Set<(outcome: MailOutcome) => void>>()
  function notify(id: string, outcome: MailOutcome): void {
    for (const resolve of waiting.get(id) ?? []) resolve(outcome)
    waiting.delete(id)
  }

  async function readWaiting(): Promise<void> {
    if (waiting.size === 0) return
    for (const { id, state, failure } of await readOutcomes(db, [...waiting.keys()])) {
      const isOver = state !== 'queued' && state !== 'sending'
      if (isOver || failure !== '') notify(id, { state, failure })
    }
  }

  // Callers check again at their timeout.
  const { wake: refresh } = createTask({ name: 'reading message results', run: readWaiting, log })

  return {
    notify,

    reportBlocker(isInFlight: (id: string) => boolean): void {
      const failure = blocker()
      if (failure === '') return
      for (const id of waiting.keys()) {
        if (!isInFlight(id)) notify(id, { state: 'queued', failure })
      }
    },

    refresh,

    async of(id: string, withinMs = 3_000): Promise<MailOutcome> {
      const failure = await refreshBlocker()
      if (failure !== '') return { state: 'queued', failure }
      let cancel: (() => void) | undefined
      const outcome = new Promise<MailOutcome>((resolve) => {
        const all = waiting.get(id) ?? new Set()
        waiting.set(id, all.add(resolve))
        cancel = after(withinMs, () => {
          all.delete(resolve)
          if (all.size === 0) waiting.delete(id)
          readOutcomes(db, [id]).then(
            ([{ state, failure } = deleted]) => resolve({ state, failure }),
            () => resolve({ state: 'queued', failure: '' }),
          )
        })
      })
      // The message may have ended before the caller waited.
      refresh()
      return outcome.finally(() => cancel?.())
    },
  }
}
