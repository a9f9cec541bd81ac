import { codeOf } from '#server/database/errors.ts'
import { takeBackRefused } from '#server/features/mail/batch-repository.ts'
import type { AccountSource, Mailer, SendingAccount } from '#server/features/mail/mailer.ts'
import type { OptOutHash } from '#server/features/mail/opt-outs-repository.ts'
import type { ClaimedMessage, Quotas } from '#server/features/mail/queue-repository.ts'
import {
  createMailQueueService,
  createOutcomes,
  type PublicAddress,
} from '#server/features/mail/queue-service.ts'
import type { ComposerOptions } from '#server/features/mail/smtp/message.ts'
import { type SmtpLimits, smtpLimits } from '#server/features/mail/smtp/session.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { after, createTask, endWithin } from '#server/lib/scheduler.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { createDeliveries } from './deliveries.ts'
import { createDequeue } from './dequeue.ts'
import { createReaper } from './reaper.ts'
import { createRefusals } from './refusals.ts'
import { createResults } from './results.ts'

const announceIntervalMs = 300
const maxConcurrency = 3
const pollMs = 15_000
// ms, after a database error.
const retryMs = 1_000
const graceMs = 10_000
const finalWritesMs = 2_000

interface MailSenderOptions
  extends ComposerOptions,
    Pick<AppContext, 'database' | 'notices' | 'log' | 'timeZone'> {
  account: AccountSource
  quotas: () => Quotas
  publicAddress: PublicAddress
  optOuts: OptOutHash
  limits?: SmtpLimits
}

export function createMailSender(options: MailSenderOptions) {
  const { database, notices, log, clock, account, limits = smtpLimits } = options
  const { db } = database
  const breaker = createCircuitBreaker({ clock })
  const dequeue = createDequeue(options)
  const deliveries = createDeliveries({ ...options, limits })
  const refusals = createRefusals({
    clock,
    deliver: (message, sender) => deliveries.deliver(message, sender, closing.signal),
    takeBack,
  })
  const outcomes = createOutcomes({ db, log, blocker, refreshBlocker })
  const reap = createReaper({ ...options, db })
  const announcements = createTask({
    name: 'reporting mail results',
    run: async () => notices.publish('mail'),
    gatherMs: announceIntervalMs,
    log,
  })
  const loops = createLoops({ work, waitMs, wake, log })
  /** Maps the id of each message that is being sent to the end of the attempt. */
  const inFlight = new Map<string, Promise<void>>()
  const closing = new AbortController()
  const results = createResults({
    db,
    log,
    clock,
    breaker,
    outcomes,
    closing: closing.signal,
    isInFlight: (id) => inFlight.has(id),
    announce: announcements.wake,
  })
  let isStarted = false
  let isWoken = false
  let nextAt: Date | null = null
  let accountChanges = 0

  account.onChange(() => {
    accountChanges += 1
    breaker.reset()
    wake()
  })
  const stopListening = notices.subscribe((topic) => {
    if (topic === 'mail') outcomes.refresh()
    if (topic === 'mail' || topic === 'settings') wake()
  })

  function blocker(): string {
    return account.current() ? breaker.reason(true) : mailSentences.notConfigured
  }

  function problem(): string {
    return account.current() ? breaker.reason() : mailSentences.notConfigured
  }

  // Race: another process has saved an account, and this one hasn't had the notice yet.
  async function refreshBlocker(): Promise<string> {
    if (breaker.problem()) await refreshAccount()
    return blocker()
  }

  async function refreshAccount(): Promise<void> {
    await account.load().catch((error: unknown) => log.warn({ code: codeOf(error) }, 'mail account not read'))
  }

  function wake(): void {
    isWoken = true
    // Another loop starts while all are busy, because one message may take a minute.
    const isBusy = inFlight.size === loops.count() && loops.count() < maxConcurrency && !breaker.problem()
    if (isStarted && (loops.count() === 0 || isBusy)) loops.start()
  }

  function waitMs(): number {
    // Due messages wait for an account; its change wakes the worker.
    if (!account.current()) return pollMs
    const untilTry = breaker.waitMs()
    const untilNext = nextAt === null ? pollMs : Math.max(0, nextAt.getTime() - clock().getTime())
    return Math.min(pollMs, untilTry > 0 ? untilTry : untilNext)
  }

  async function work(): Promise<void> {
    if (await reap()) announcements.wake()
    while (!loops.areStopping() && breaker.waitMs() === 0 && !refusals.isAsking()) {
      const sender = account.current()
      if (!sender) return
      const changesBefore = accountChanges
      isWoken = false
      const dequeued = await dequeue.next()
      breaker.noteDequeued(dequeued)
      if (dequeued.message) {
        await send(dequeued.message, sender, changesBefore)
        continue
      }
      nextAt = dequeued.nextAt
      outcomes.reportBlocker((id) => inFlight.has(id))
      if (!isWoken) return
    }
  }

  async function send(message: ClaimedMessage, sender: SendingAccount, changesBefore: number): Promise<void> {
    const sending = transmit(message, sender, changesBefore)
    inFlight.set(message.id, sending)
    // While there is a problem with the server, one message is enough as a probe.
    if (loops.count() < maxConcurrency && !breaker.problem()) loops.start()
    try {
      await sending
    } finally {
      inFlight.delete(message.id)
    }
  }

  async function transmit(message: ClaimedMessage, sender: SendingAccount, changesBefore: number) {
    const answer = await deliveries.deliver(message, sender, closing.signal)
    const outcome = await refusals.judge(message, answer, sender)
    // Race: the account was replaced before or during this attempt, which says nothing about the new one.
    if (outcome.end === 'unreached') await refreshAccount()
    await results.settle(message, outcome, () => changesBefore !== accountChanges)
  }

  async function takeBack(ids: readonly string[], at: Date): Promise<void> {
    // Race: their refusal may still be on its way to the database.
    await Promise.all(ids.map((id) => inFlight.get(id)))
    await takeBackRefused(db, ids, at).catch((error: unknown) =>
      log.warn({ code: codeOf(error) }, 'refused messages not taken back; they stay failed'),
    )
  }

  const mailer: Mailer = {
    isConfigured: () => account.current() !== null,
    wake() {
      wake()
      notices.publish('mail')
    },
    outcomeOf: outcomes.of,
    holdsWelcomes: dequeue.holdsWelcomes,
  }

  return {
    mailer,
    problem,
    queue: createMailQueueService({
      ...options,
      db,
      isConfigured: mailer.isConfigured,
      problem,
      isBlocked: () => breaker.problem() !== null,
    }),

    start(): void {
      isStarted = true
      wake()
    },

    async close(): Promise<void> {
      stopListening()
      const ended = loops.stop()
      await endWithin(graceMs, ended)
      closing.abort()
      await endWithin(finalWritesMs, ended)
      results.giveUp()
      await ended
      deliveries.close()
      await announcements.close()
      notices.publish('mail')
    },
  }
}

interface LoopsOptions extends Pick<AppContext, 'log'> {
  work: () => Promise<void>
  // Returns the ms until the next attempt when nothing is left to send.
  waitMs: () => number
  wake: () => void
}

/** Each sends one message after another until none is due; then one waits for the next. */
function createLoops({ work, waitMs, wake, log }: LoopsOptions) {
  const loops = new Set<Promise<void>>()
  let isStopping = false
  let cancel: (() => void) | undefined

  return {
    count: () => loops.size,
    areStopping: () => isStopping,

    start(): void {
      if (isStopping) return
      cancel?.()
      const loop = work()
        .then(waitMs, (error: unknown) => {
          log.warn({ code: codeOf(error), err: error }, 'mail not sent; trying again')
          return retryMs
        })
        .then((ms) => {
          loops.delete(loop)
          if (isStopping) return
          cancel?.()
          cancel = after(ms, wake)
        })
      loops.add(loop)
    },

    stop(): Promise<unknown> {
      isStopping = true
      cancel?.()
      return Promise.all(loops)
    },
  }
}
