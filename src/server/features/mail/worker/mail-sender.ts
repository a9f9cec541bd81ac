import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import {
  type CurrentAccount,
  isSameSignIn,
  type Mailer,
  type SendingAccount,
} from '#server/features/mail/mailer.ts'
import {
  type ClaimEnd,
  type ClaimedMessage,
  type ClaimsRepository,
  createCancellationsRepository,
  createClaimsRepository,
  type Quotas,
} from '#server/features/mail/queue-repository.ts'
import { createForecasts, createOutcomes, type Outcomes } from '#server/features/mail/queue-service.ts'
import type { RenderMail } from '#server/features/mail/rendering/render.ts'
import type { SendOutcome } from '#server/features/mail/smtp/failures.ts'
import { type SmtpLimits, smtpLimits } from '#server/features/mail/smtp/smtp-session.ts'
import type { Clock } from '#server/lib/clock.ts'
import { after, endWithin, sleep } from '#server/lib/scheduler.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import {
  type Blockers,
  type CircuitBreaker,
  createBlockers,
  createCircuitBreaker,
} from './circuit-breaker.ts'
import { createDeliveries, createReaper, type Deliveries, type Reaper } from './deliveries.ts'
import { createDequeue, type Dequeue } from './dequeue.ts'

// ms
const announceIntervalMs = 300
// ms
const accountReadMs = 1_000

interface MailSenderOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  notices: Pick<Notices, 'publish' | 'subscribe' | 'onPublish'>
  log: Logger
  clock: Clock
  account: CurrentAccount
  render: RenderMail
  quotas: () => Quotas
  schoolName: () => string
  limits?: SmtpLimits
}

export function createMailSender(options: MailSenderOptions) {
  const { database, notices, log, clock, account, limits = smtpLimits } = options
  const circuitBreaker = createCircuitBreaker()
  const dequeue = createDequeue(options)
  const blockers = createBlockers({ circuitBreaker, clock })
  const blocker = () => (account() ? blockers.forNewMessage() : mailSentences.notConfigured)
  const outcomes = createOutcomes({ db: database.db, log, blocker })
  const claims = createClaimsRepository(database.db)
  const announcements = throttle(() => notices.publish('mail'), announceIntervalMs)
  const worker = createMailWorker({
    claims,
    reaper: createReaper({ claims, cancellations: createCancellationsRepository(database.db), clock, log }),
    dequeue,
    deliveries: createDeliveries({ ...options, limits }),
    circuitBreaker,
    blockers,
    outcomes,
    account,
    clock,
    log,
    announce: announcements.call,
  })

  let cancelRepeat: (() => void) | undefined
  const noteAccount = () => {
    circuitBreaker.reset()
    worker.wake()
  }
  // In the process that saved the account, before its response: mail sent right after must not wait for the notice.
  notices.onPublish((topic) => {
    if (topic === 'mail-account') noteAccount()
  })
  const stopListening = notices.subscribe((topic) => {
    if (topic === 'mail-account') {
      noteAccount()
      // Again when a process that received the notice only now has read the account.
      cancelRepeat?.()
      cancelRepeat = after(accountReadMs, noteAccount)
    }
    if (topic === 'mail') outcomes.refresh()
    if (topic === 'mail' || topic === 'settings') worker.wake()
  })
  const mailer: Mailer = {
    isConfigured: () => account() !== null,
    wake: worker.wake,
    outcomeOf: outcomes.of,
  }

  return {
    mailer,
    forecasts: createForecasts({
      ...options,
      db: database.db,
      isBlocked: () => circuitBreaker.problem() !== null,
    }),
    problem: () => (account() ? blockers.problem() : mailSentences.notConfigured),
    start: worker.start,
    async close(): Promise<void> {
      stopListening()
      cancelRepeat?.()
      await worker.stop()
      announcements.flush()
    },
  }
}

export function throttle(act: () => void, intervalMs: number): { call: () => void; flush: () => void } {
  let cancel: (() => void) | undefined
  let isPending = false

  function actNow(): void {
    isPending = false
    act()
    cancel = after(intervalMs, () => {
      cancel = undefined
      if (isPending) actNow()
    })
  }

  return {
    call() {
      isPending = true
      if (!cancel) actNow()
    },
    flush() {
      cancel?.()
      cancel = undefined
      if (isPending) act()
      isPending = false
    },
  }
}

const maxConcurrency = 3
// ms
const pollMs = 15_000
// ms, after a database error.
const retryMs = 1_000
// ms
const graceMs = 10_000
// ms
const finalWritesMs = 2_000

interface WorkerOptions {
  claims: Pick<ClaimsRepository, 'end'>
  reaper: Reaper
  dequeue: Dequeue
  deliveries: Deliveries
  circuitBreaker: CircuitBreaker
  blockers: Blockers
  outcomes: Outcomes
  account: CurrentAccount
  clock: Clock
  log: Logger
  announce: () => void
}

function createMailWorker(options: WorkerOptions) {
  const {
    claims,
    reaper,
    dequeue,
    deliveries,
    circuitBreaker,
    blockers,
    outcomes,
    account,
    clock,
    log,
    announce,
  } = options
  const loops = new Set<Promise<void>>()
  const inFlight = new Set<string>()
  const closing = new AbortController()
  const stopWrites = new AbortController()
  const outcomeWriter = createOutcomeWriter({ claims, log, stopWrites: stopWrites.signal })
  let isStarted = false
  let isStopping = false
  let isWoken = false
  let cancel: (() => void) | undefined
  let nextAt: Date | null = null

  function wake(): void {
    isWoken = true
    // Also while all loops are busy: one message may take a minute.
    const isBusy = inFlight.size === loops.size && loops.size < maxConcurrency && !circuitBreaker.problem()
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
    // Due messages wait for an account; its notice wakes the worker.
    if (!account()) return pollMs
    const untilTry = circuitBreaker.waitMs()
    const untilNext = nextAt === null ? pollMs : Math.max(0, nextAt.getTime() - clock().getTime())
    return Math.min(pollMs, untilTry > 0 ? untilTry : untilNext)
  }

  async function work(): Promise<void> {
    if (await reaper.run()) announce()
    for (let sender = account(); sender && !isStopping && circuitBreaker.waitMs() === 0; sender = account()) {
      isWoken = false
      const dequeued = await dequeue.next()
      blockers.noteDequeued(dequeued)
      if (dequeued.message) {
        await send(dequeued.message, sender)
        continue
      }
      nextAt = dequeued.nextAt
      outcomes.reportBlocker((id) => inFlight.has(id))
      if (!isWoken) return
    }
  }

  async function send(message: ClaimedMessage, sender: SendingAccount): Promise<void> {
    inFlight.add(message.id)
    // While there is a problem with the server, one message is enough as a probe.
    if (loops.size < maxConcurrency && !circuitBreaker.problem()) startLoop()
    try {
      await settle(message, sender, await deliveries.deliver(message, sender, closing.signal))
    } finally {
      inFlight.delete(message.id)
    }
  }

  async function settle(
    message: ClaimedMessage,
    sender: SendingAccount,
    outcome: SendOutcome,
  ): Promise<void> {
    const wasInterrupted = closing.signal.aborted && outcome.end === 'deferred'
    const end = claimEndOf(message, outcome, clock())
    await outcomeWriter.write(wasInterrupted ? { ...end, failure: '', at: null, isAttempt: false } : end)
    // The result of an account that was replaced meanwhile says nothing about the new account’s server.
    const current = account()
    if (!wasInterrupted && current && isSameSignIn(current, sender)) noteOutcome(outcome)
    outcomes.notify(message.id, { state: end.state, failure: end.failure })
    announce()
  }

  function noteOutcome(outcome: SendOutcome): void {
    const before = circuitBreaker.problem()
    blockers.noteOutcome(outcome)
    const problem = circuitBreaker.problem()
    if (problem?.kind !== before?.kind) {
      // Without the sentence: servers quote addresses.
      if (problem) log.warn({ kind: problem.kind }, 'mail server unavailable; trying again later')
      else log.info('mail server available again')
    }
    if (problem) outcomes.reportBlocker((id) => inFlight.has(id))
  }

  return {
    start(): void {
      isStarted = true
      wake()
    },

    wake,

    async stop(): Promise<void> {
      isStopping = true
      cancel?.()
      const ended = Promise.all(loops)
      await endWithin(graceMs, ended)
      closing.abort()
      await endWithin(finalWritesMs, ended)
      stopWrites.abort()
      await ended
      deliveries.close()
    },
  }
}

// ms
const minRetryMs = 100
const maxRetryMs = 2_000

interface OutcomeWriterOptions {
  claims: Pick<ClaimsRepository, 'end'>
  log: Logger
  stopWrites: AbortSignal
}

// Retries while the database is down: sent mail must be recorded as sent.
function createOutcomeWriter({ claims, log, stopWrites }: OutcomeWriterOptions) {
  return {
    async write(end: ClaimEnd): Promise<void> {
      for (let pauseMs = minRetryMs; ; pauseMs = Math.min(maxRetryMs, pauseMs * 2)) {
        try {
          await claims.end(end)
          return
        } catch (error) {
          log.warn({ code: codeOf(error), message: end.id }, 'message result not stored; trying again')
          if (stopWrites.aborted) return
          await sleep(pauseMs, stopWrites)
        }
      }
    },
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

const minuteMs = 60_000

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
