import { codeOf } from '#server/database/errors.ts'
import { takeBackRefused } from '#server/features/mail/batch-repository.ts'
import type { SendingContext } from '#server/features/mail/mail-context.ts'
import type { AccountSource, Mailer, SendingAccount } from '#server/features/mail/mailer.ts'
import type { OptOutHash } from '#server/features/mail/opt-outs-repository.ts'
import {
  type ClaimEnd,
  type ClaimedMessage,
  createCancellationsRepository,
  createClaimsRepository,
  dayMs,
} from '#server/features/mail/queue-repository.ts'
import { createMailQueueService, createOutcomes } from '#server/features/mail/queue-service.ts'
import type { SendOutcome } from '#server/features/mail/smtp/failures.ts'
import { type SmtpLimits, smtpLimits } from '#server/features/mail/smtp/session.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { after, createTask, endWithin, sleep } from '#server/lib/scheduler.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { claimEndOf, createDeliveries } from './deliveries.ts'
import { createDequeue } from './dequeue.ts'
import { createRefusals } from './refusals.ts'

const announceIntervalMs = 300
const maxConcurrency = 3
const pollMs = 15_000
// ms, after a database error.
const retryMs = 1_000
const graceMs = 10_000
const finalWritesMs = 2_000
// ms, between the tries to store a result.
const minWriteRetryMs = 100
const maxWriteRetryMs = 2_000

interface MailSenderOptions extends SendingContext {
  account: AccountSource
  optOuts: OptOutHash
  limits?: SmtpLimits
}

export function createMailSender(options: MailSenderOptions) {
  const { database, notices, log, clock, account, optOuts, limits = smtpLimits } = options
  const { db } = database
  const breaker = createCircuitBreaker({ clock })
  const dequeue = createDequeue(options)
  const deliveries = createDeliveries(options, limits)
  const refusals = createRefusals({
    clock,
    deliver: (message, sender) => deliveries.deliver(message, sender, closing.signal),
    takeBack,
  })
  const outcomes = createOutcomes({ db, log, blocker, refreshBlocker })
  const reap = createReaper(options, optOuts)
  const announcements = createTask({
    name: 'reporting mail results',
    run: async () => notices.publish('mail'),
    gatherMs: announceIntervalMs,
    log,
  })
  const loops = createLoops({ work, waitMs, wake, log })
  /** Maps the id of each message that is being sent to the end of the attempt. */
  const inFlight = new Map<string, Promise<void>>()
  const isInFlight = (id: string) => inFlight.has(id)
  const closing = new AbortController()
  const claims = createClaimsRepository(db)
  let mayRetryWrites = true
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
      outcomes.reportBlocker(isInFlight)
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
    await settle(message, outcome, () => changesBefore !== accountChanges)
  }

  /** The end of an attempt is stored, told to those who wait, and counts for or against the mail server. */
  async function settle(
    message: ClaimedMessage,
    outcome: SendOutcome,
    isOldAccount: () => boolean,
  ): Promise<void> {
    const end = claimEndOf(message, outcome, clock())
    const wasInterrupted = closing.signal.aborted && outcome.end === 'deferred'
    if (wasInterrupted || (isOldAccount() && outcome.end === 'unreached')) {
      await write({ ...end, failure: '', at: null, isAttempt: false })
      return
    }
    await write(end)
    // Race: also while the result was being stored.
    if (!isOldAccount()) noteOutcome(outcome)
    outcomes.notify(message.id, { state: end.state, failure: end.failure })
    announcements.wake()
  }

  // Retries while the database is down: sent mail must be recorded as sent.
  async function write(end: ClaimEnd): Promise<void> {
    for (let pauseMs = minWriteRetryMs; ; pauseMs = Math.min(maxWriteRetryMs, pauseMs * 2)) {
      try {
        await claims.end(end)
        return
      } catch (error) {
        log.warn({ code: codeOf(error), message: end.id }, 'message result not stored; trying again')
        if (!mayRetryWrites) return
        await sleep(pauseMs)
      }
    }
  }

  function noteOutcome(outcome: SendOutcome): void {
    const before = breaker.problem()
    breaker.noteOutcome(outcome)
    const problem = breaker.problem()
    if (problem?.kind !== before?.kind) {
      // The log has only the kind of the problem: the sentence quotes the server, and servers quote addresses.
      if (problem) log.warn({ kind: problem.kind }, 'mail server unavailable; trying again later')
      else log.info('mail server available again')
    }
    if (problem) outcomes.reportBlocker(isInFlight)
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
    problem,
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
      mayRetryWrites = false
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

const reapIntervalMs = 7_500
// ms: longer than a claim or a retry delay; more is clock skew.
const longestMs = dayMs

const claimExpired =
  'The system stopped while this e-mail was being sent, so it may or may not have been delivered.'

/** Cleans up after dead workers, clock skew and concurrent decisions. */
function createReaper({ database, clock, timeZone, log }: SendingContext, optOuts: OptOutHash) {
  const { db } = database
  const claims = createClaimsRepository(db)
  const cancellations = createCancellationsRepository(db)
  let ranAt = Number.NEGATIVE_INFINITY

  return async (): Promise<boolean> => {
    if (performance.now() - ranAt < reapIntervalMs) return false
    const now = clock()
    const cancelled = await cancellations.stale(now, calendarDateOf(now, timeZone), optOuts)
    await claims.bringForward(now, longestMs)
    const expired = await claims.expire(now, longestMs, claimExpired)
    ranAt = performance.now()
    if (expired > 0) log.warn({ count: expired }, 'claims expired; messages marked as unknown')
    return cancelled + expired > 0
  }
}
