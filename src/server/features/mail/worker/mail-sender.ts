import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { codeOf } from '#server/database/errors.ts'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { type CurrentAccount, isSameSignIn, type Mailer, type SendingAccount } from '#server/features/mail/mailer.ts'
import { type ClaimEnd, type ClaimedMessage, type ClaimsRepository, createClaimsRepository, createUnwantedRepository, type Quotas } from '#server/features/mail/queue-repository.ts'
import { createForecasts, createOutcomes, type Outcomes } from '#server/features/mail/queue-service.ts'
import type { RenderMail } from '#server/features/mail/rendering/render.ts'
import type { SendOutcome } from '#server/features/mail/smtp/failures.ts'
import { type SmtpLimits, smtpLimits } from '#server/features/mail/smtp/smtp-session.ts'
import type { Clock } from '#server/lib/clock.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { type CircuitBreaker, createCircuitBreaker, createBlockers, type Blockers } from './circuit-breaker.ts'
import { createDeliveries, createReaper, type Deliveries, type Reaper } from './deliveries.ts'
import { createDequeue, type Dequeue } from './dequeue.ts'

// ms
const announceEveryMs = 300
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
  const circuit = createCircuitBreaker()
  const turns = createDequeue(options)
  const obstacles = createBlockers({ circuit, clock })
  const obstacle = () => (account() ? obstacles.forNewMessage() : mailSentences.notConfigured)
  const outcomes = createOutcomes({ db: database.db, log, obstacle })
  const claims = createClaimsRepository(database.db)
  const announcing = throttle(() => notices.publish('mail'), announceEveryMs)
  const worker = createMailWorker({
    claims,
    leftovers: createReaper({ claims, unwanted: createUnwantedRepository(database.db), clock, log }),
    turns,
    deliveries: createDeliveries({ ...options, limits }),
    circuit,
    obstacles,
    outcomes,
    account,
    clock,
    log,
    announce: announcing.ask,
  })

  let accountTimer: NodeJS.Timeout | undefined
  const noteAccount = () => {
    circuit.reset()
    worker.wake()
  }
  // In the process that saved it, before the answer: what is sent right after must not wait for the notice.
  notices.onPublish((topic) => {
    if (topic === 'mail-account') noteAccount()
  })
  const stopListening = notices.subscribe((topic) => {
    if (topic === 'mail-account') {
      noteAccount()
      // Once more when a process that has heard of it only now will have read it.
      clearTimeout(accountTimer)
      accountTimer = setTimeout(noteAccount, accountReadMs)
    }
    if (topic === 'mail') outcomes.look()
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
      isHeldUp: () => circuit.trouble() !== null,
    }),
    trouble: () => (account() ? obstacles.trouble() : mailSentences.notConfigured),
    start: worker.start,
    async close(): Promise<void> {
      stopListening()
      clearTimeout(accountTimer)
      await worker.stop()
      announcing.end()
    },
  }
}

export function throttle(act: () => void, everyMs: number): { ask: () => void; end: () => void } {
  let timer: NodeJS.Timeout | undefined
  let isAsked = false

  function actNow(): void {
    isAsked = false
    act()
    timer = setTimeout(() => {
      timer = undefined
      if (isAsked) actNow()
    }, everyMs)
  }

  return {
    ask() {
      isAsked = true
      if (!timer) actNow()
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      if (isAsked) act()
      isAsked = false
    },
  }
}

const lanesAtMost = 3
// ms
const lookAgainMs = 15_000
// ms, after a database error.
const retryMs = 1_000
// ms
const patienceMs = 10_000
// ms
const lastWritesMs = 2_000

interface WorkerOptions {
  claims: Pick<ClaimsRepository, 'end'>
  leftovers: Reaper
  turns: Dequeue
  deliveries: Deliveries
  circuit: CircuitBreaker
  obstacles: Blockers
  outcomes: Outcomes
  account: CurrentAccount
  clock: Clock
  log: Logger
  announce: () => void
}

function createMailWorker(options: WorkerOptions) {
  const {
    claims,
    leftovers,
    turns,
    deliveries,
    circuit,
    obstacles,
    outcomes,
    account,
    clock,
    log,
    announce,
  } = options
  const lanes = new Set<Promise<void>>()
  const underWay = new Set<string>()
  const closing = new AbortController()
  const givenUp = new AbortController()
  const endings = createEndings({ claims, log, givenUp: givenUp.signal })
  let isStarted = false
  let isStopping = false
  let isWoken = false
  let timer: NodeJS.Timeout | undefined
  let nextAt: Date | null = null

  function wake(): void {
    isWoken = true
    // Also beside lanes that are all busy: what they send may take a minute.
    const isBusy = underWay.size === lanes.size && lanes.size < lanesAtMost && !circuit.trouble()
    if (isStarted && (lanes.size === 0 || isBusy)) openLane()
  }

  function openLane(): void {
    if (isStopping) return
    clearTimeout(timer)
    const lane = work()
      .then(waitMs, (error: unknown) => {
        log.warn({ code: codeOf(error), err: error }, 'mail not sent; trying again')
        return retryMs
      })
      .then((ms) => {
        lanes.delete(lane)
        if (isStopping) return
        clearTimeout(timer)
        timer = setTimeout(wake, ms)
      })
    lanes.add(lane)
  }

  function waitMs(): number {
    // What is due waits for an account, of which a notice tells.
    if (!account()) return lookAgainMs
    const untilTry = circuit.waitMs()
    const untilNext = nextAt === null ? lookAgainMs : Math.max(0, nextAt.getTime() - clock().getTime())
    return Math.min(lookAgainMs, untilTry > 0 ? untilTry : untilNext)
  }

  async function work(): Promise<void> {
    if (await leftovers.seeTo()) announce()
    for (let sender = account(); sender && !isStopping && circuit.waitMs() === 0; sender = account()) {
      isWoken = false
      const turn = await turns.next()
      obstacles.noteTurn(turn)
      if (turn.message) {
        await send(turn.message, sender)
        continue
      }
      nextAt = turn.nextAt
      outcomes.tellObstacle((id) => underWay.has(id))
      if (!isWoken) return
    }
  }

  async function send(message: ClaimedMessage, sender: SendingAccount): Promise<void> {
    underWay.add(message.id)
    // While the server is in trouble one message is enough to try.
    if (lanes.size < lanesAtMost && !circuit.trouble()) openLane()
    try {
      await settle(message, sender, await deliveries.deliver(message, sender, closing.signal))
    } finally {
      underWay.delete(message.id)
    }
  }

  async function settle(
    message: ClaimedMessage,
    sender: SendingAccount,
    outcome: SendOutcome,
  ): Promise<void> {
    const wasInterrupted = closing.signal.aborted && outcome.end === 'deferred'
    const end = endingOf(message, outcome, clock())
    await endings.write(wasInterrupted ? { ...end, failure: '', at: null, isAttempt: false } : end)
    // An attempt by an account that was replaced meanwhile says nothing about the new one's server.
    const current = account()
    if (!wasInterrupted && current && isSameSignIn(current, sender)) noteOutcome(outcome)
    outcomes.tell(message.id, { state: end.state, failure: end.failure })
    announce()
  }

  function noteOutcome(outcome: SendOutcome): void {
    const before = circuit.trouble()
    obstacles.noteOutcome(outcome)
    const trouble = circuit.trouble()
    if (trouble?.kind !== before?.kind) {
      // Without the sentence: servers quote addresses.
      if (trouble) log.warn({ kind: trouble.kind }, 'the mail server takes no mail; trying again later')
      else log.info('the mail server takes mail again')
    }
    if (trouble) outcomes.tellObstacle((id) => underWay.has(id))
  }

  return {
    start(): void {
      isStarted = true
      wake()
    },

    wake,

    async stop(): Promise<void> {
      isStopping = true
      clearTimeout(timer)
      const ended = Promise.all(lanes)
      await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })])
      closing.abort()
      await Promise.race([ended, sleep(lastWritesMs, undefined, { ref: false })])
      givenUp.abort()
      await ended
      deliveries.close()
    },
  }
}

// ms
const firstPauseMs = 100
const longestPauseMs = 2_000

interface EndingsOptions {
  claims: Pick<ClaimsRepository, 'end'>
  log: Logger
  givenUp: AbortSignal
}

// Retries while the database is down: sent mail must be recorded as sent.
function createEndings({ claims, log, givenUp }: EndingsOptions) {
  return {
    async write(end: ClaimEnd): Promise<void> {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
        try {
          await claims.end(end)
          return
        } catch (error) {
          log.warn({ code: codeOf(error), message: end.id }, 'the end of a message not written; trying again')
          if (givenUp.aborted) return
          await sleep(pauseMs, undefined, { signal: givenUp }).catch(() => undefined)
        }
      }
    },
  }
}

function endingOf(message: ClaimedMessage, outcome: SendOutcome, now: Date): ClaimEnd {
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
      return { ...end, state: 'queued', failure: outcome.trouble.sentence, at: null, isAttempt: false }
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
const messagePauses = [1, 5, 15, 60, 180, 180, 240, 300, 360]

// Spreads the retries of messages refused together.
const jitter = 0.1

/**
 * @param attempts including this one
 * @returns ms to wait; null after the last attempt
 */
export function pauseAfter(attempts: number, random: () => number = Math.random): number | null {
  const minutes = messagePauses[attempts - 1]
  return minutes === undefined ? null : Math.round(minutes * minuteMs * (1 + jitter * random()))
}
