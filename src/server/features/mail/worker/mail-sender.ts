import { codeOf, toAppError } from '#server/database/errors.ts'
import type { OptOutHash } from '#server/features/mail/announcement-repository.ts'
import type { AccountSource, Mailer, SendingAccount } from '#server/features/mail/mailer.ts'
import {
  type ClaimEnd,
  type ClaimedMessage,
  createCancellationsRepository,
  createClaimsRepository,
  dayMs,
  minuteMs,
  type Quotas,
} from '#server/features/mail/queue-repository.ts'
import { createMailQueueService, createOutcomes } from '#server/features/mail/queue-service.ts'
import { type MailProblem, mailProblemOf, type SendOutcome } from '#server/features/mail/smtp/failures.ts'
import {
  type ComposedMessage,
  type ComposerOptions,
  createComposer,
} from '#server/features/mail/smtp/message.ts'
import { asError, createSessions, type SmtpLimits, smtpLimits } from '#server/features/mail/smtp/session.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Clock } from '#server/lib/clock.ts'
import { after, createTask, endWithin, sleep } from '#server/lib/scheduler.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { createDequeue, type Dequeued } from './dequeue.ts'

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

interface MailSenderOptions extends ComposerOptions, Pick<AppContext, 'database' | 'notices' | 'log'> {
  account: AccountSource
  quotas: () => Quotas
  optOuts: OptOutHash
  limits?: SmtpLimits
}

export function createMailSender(options: MailSenderOptions) {
  const { database, notices, log, clock, account, limits = smtpLimits } = options
  const { db } = database
  const claims = createClaimsRepository(db)
  const breaker = createCircuitBreaker({ clock })
  const dequeue = createDequeue(options)
  const deliveries = createDeliveries({ ...options, limits })
  const outcomes = createOutcomes({ db, log, blocker, refreshBlocker })
  const reap = createReaper({ db, clock, log, optOuts: options.optOuts })
  const announcements = createTask({
    name: 'reporting mail results',
    run: async () => notices.publish('mail'),
    gatherMs: announceIntervalMs,
    log,
  })
  const loops = new Set<Promise<void>>()
  const inFlight = new Set<string>()
  const closing = new AbortController()
  let isStarted = false
  let isStopping = false
  let mayRetryWrites = true
  let isWoken = false
  let cancel: (() => void) | undefined
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
    // Also while all loops are busy: one message may take a minute.
    const isBusy = inFlight.size === loops.size && loops.size < maxConcurrency && !breaker.problem()
    if (isStarted && (loops.size === 0 || isBusy)) startLoop()
  }

  function startLoop(): void {
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
    while (!isStopping && breaker.waitMs() === 0) {
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
    inFlight.add(message.id)
    // While there is a problem with the server, one message is enough as a probe.
    if (loops.size < maxConcurrency && !breaker.problem()) startLoop()
    try {
      const outcome = await deliveries.deliver(message, sender, closing.signal)
      // Race: the account was replaced before or during this attempt, which says nothing about the new one.
      if (outcome.end === 'unreached') await refreshAccount()
      await settle(message, outcome, () => changesBefore !== accountChanges)
    } finally {
      inFlight.delete(message.id)
    }
  }

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
      // Without the sentence: servers quote addresses.
      if (problem) log.warn({ kind: problem.kind }, 'mail server unavailable; trying again later')
      else log.info('mail server available again')
    }
    if (problem) outcomes.reportBlocker((id) => inFlight.has(id))
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
    queue: createMailQueueService({ ...options, db, problem, isBlocked: () => breaker.problem() !== null }),

    start(): void {
      isStarted = true
      wake()
    },

    async close(): Promise<void> {
      stopListening()
      isStopping = true
      cancel?.()
      const ended = Promise.all(loops)
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

interface DeliveriesOptions extends ComposerOptions, Pick<AppContext, 'log'> {
  limits: SmtpLimits
}

const databaseUnavailable = 'The database did not answer while the e-mail was being prepared.'
const notPrepared = 'The e-mail could not be prepared. Please check its text and send it again.'

function createDeliveries({ log, limits, ...options }: DeliveriesOptions) {
  const sessions = createSessions(limits)
  const compose = createComposer(options)

  async function transmit(
    composed: ComposedMessage,
    account: SendingAccount,
    deadline: AbortSignal,
  ): Promise<SendOutcome> {
    const session = await sessions.take(account, deadline)
    const wasUsed = session.sentCount() > 0
    const outcome = await session.send(composed, deadline)
    sessions.release(session, account)
    // A reused connection that the server had closed while idle says nothing about the message.
    const isStale = wasUsed && outcome.end === 'deferred' && outcome.isSilent
    return isStale && !deadline.aborted ? transmit(composed, account, deadline) : outcome
  }

  return {
    async deliver(
      message: ClaimedMessage,
      account: SendingAccount,
      closing: AbortSignal,
    ): Promise<SendOutcome> {
      let composed: ComposedMessage
      try {
        composed = await compose(message, account)
      } catch (error) {
        if (error instanceof Error && toAppError(error)) {
          // The school’s logo is read from the database. Nothing was sent to the mail server.
          return { end: 'deferred', failure: databaseUnavailable, isGeneral: false, isSilent: true }
        }
        log.error({ err: error, message: message.id }, 'message not rendered')
        return { end: 'refused', failure: notPrepared }
      }
      try {
        const deadline = AbortSignal.any([closing, AbortSignal.timeout(limits.messageMs)])
        return await transmit(composed, account, deadline)
      } catch (error) {
        return { end: 'unreached', problem: mailProblemOf(asError(error), account) }
      }
    },

    close: sessions.close,
  }
}

const reapIntervalMs = 7_500
// ms: longer than a claim or a retry delay; more is clock skew.
const longestMs = dayMs

const claimExpired =
  'The system stopped while this e-mail was being sent, so it may or may not have been delivered.'

interface ReaperOptions extends Pick<AppContext, 'db' | 'clock' | 'log'> {
  optOuts: OptOutHash
}

/** Cleans up after dead workers, clock skew and concurrent decisions. */
function createReaper({ db, clock, log, optOuts }: ReaperOptions) {
  const claims = createClaimsRepository(db)
  const cancellations = createCancellationsRepository(db)
  let ranAt = Number.NEGATIVE_INFINITY

  return async (): Promise<boolean> => {
    if (performance.now() - ranAt < reapIntervalMs) return false
    const now = clock()
    const cancelled =
      (await cancellations.cancelOfCancelled(now)) +
      (await cancellations.cancelOfRejected(now)) +
      (await cancellations.cancelOptedOut(now, optOuts))
    await claims.bringForward(now, longestMs)
    const expired = await claims.expire(now, longestMs, claimExpired)
    ranAt = performance.now()
    if (expired > 0) log.warn({ count: expired }, 'claims expired; messages marked as unknown')
    return cancelled + expired > 0
  }
}

function claimEndOf(message: ClaimedMessage, outcome: SendOutcome, now: Date): ClaimEnd {
  const { id, claim, attempts } = message
  const end = { id, claim, at: now, failure: '', isAttempt: true }
  switch (outcome.end) {
    case 'sent':
      return { ...end, state: 'sent' }
    case 'refused':
      return { ...end, state: 'failed', failure: outcome.failure }
    case 'unknown':
      return { ...end, state: 'unknown', failure: outcome.failure }
    case 'unreached':
      return { ...end, state: 'queued', failure: outcome.problem.sentence, at: null, isAttempt: false }
    case 'deferred': {
      const pauseMs = pauseAfter(attempts + 1)
      if (pauseMs === null) return { ...end, state: 'failed', failure: outcome.failure }
      const at = new Date(now.getTime() + pauseMs)
      return { ...end, state: 'queued', failure: outcome.failure, at }
    }
  }
}

// minutes: ten attempts within a day.
const retryPauses = [1, 5, 15, 60, 180, 180, 240, 300, 360]

// Spreads the retries of messages refused together.
const jitter = 0.1

/**
 * @param attempts including this one
 * @returns ms to wait; null after the last attempt
 */
export function pauseAfter(attempts: number, random: () => number = Math.random): number | null {
  const minutes = retryPauses[attempts - 1]
  return minutes === undefined ? null : Math.round(minutes * minuteMs * (1 + jitter * random()))
}

// ms
const pauses: Record<MailProblem['kind'], { first: number; longest: number }> = {
  connection: { first: 5_000, longest: 300_000 },
  server: { first: 5_000, longest: 300_000 },
  encryption: { first: 30_000, longest: 300_000 },
  // Only a user can correct these, and too many tries get an account locked.
  'sign-in': { first: 60_000, longest: 1_800_000 },
  sender: { first: 30_000, longest: 300_000 },
  quota: { first: 900_000, longest: 3_600_000 },
}

const maxFailuresInRow = 2

interface CircuitBreakerOptions {
  clock: Clock
  // ms of a monotonic clock.
  now?: () => number
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>

export function createCircuitBreaker({ clock, now = () => performance.now() }: CircuitBreakerOptions) {
  let problem: MailProblem | null = null
  let failures = 0
  let openUntil = 0
  // Messages without a clear answer.
  let failuresInRow = 0
  let full: { quota: 'day' | 'minute'; until: Date } | null = null

  function fail(next: MailProblem): void {
    // Several connections that fail at the same time are one failure.
    if (problem && now() < openUntil) return
    const { first, longest } = pauses[next.kind]
    openUntil = now() + Math.min(longest, first * 2 ** failures)
    failures += 1
    problem = next
  }

  function reset(): void {
    problem = null
    failures = 0
    openUntil = 0
    failuresInRow = 0
  }

  return {
    problem: () => problem,
    // ms; 0 for now.
    waitMs: () => Math.max(0, openUntil - now()),
    reset,

    noteDequeued(dequeued: Dequeued): void {
      const { fullQuota, nextAt } = dequeued.message ? { fullQuota: null, nextAt: null } : dequeued
      full = fullQuota && nextAt ? { quota: fullQuota, until: nextAt } : null
    },

    noteOutcome(outcome: SendOutcome): void {
      if (outcome.end === 'unreached') {
        failuresInRow = 0
        // A quota error may answer any command, also RCPT, and then quote the recipient.
        const { kind, sentence } = outcome.problem
        fail({ kind, sentence: kind === 'quota' ? withoutAddresses(sentence) : sentence })
      } else if (outcome.end === 'unknown' || (outcome.end === 'deferred' && outcome.isGeneral)) {
        // Otherwise a server that never confirms would leave every message with an unknown result.
        failuresInRow += 1
        if (failuresInRow >= maxFailuresInRow) {
          fail({ kind: 'server', sentence: withoutAddresses(outcome.failure) })
        }
      } else if (outcome.end !== 'deferred' || !outcome.isSilent) {
        // An answer about this message shows that the server is up.
        reset()
      }
    },

    /** Why nothing is sent; '' while mail is sent. The quota per minute is a reason for a new message only. */
    reason(isForNewMessage = false): string {
      if (problem) return problem.sentence
      if (!full || clock() >= full.until) return ''
      if (full.quota === 'day') return dailyLimitReached
      return isForNewMessage ? minuteLimitReached : ''
    },
  }
}

// Privacy: a server's answer may quote the recipient.
function withoutAddresses(sentence: string): string {
  return sentence.replaceAll(/(?<!\S)\S+@\S+/g, '…')
}

const dailyLimitReached = 'The e-mail limit for 24 hours is reached. The other e-mails are sent later.'
const minuteLimitReached = 'The e-mail limit per minute is reached. No action is needed.'
