import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '#server/clock.ts'
import { codeOf } from '#server/database/errors.ts'
import type { ClaimedMessage, ClaimsRepository } from '#server/mail/ledger/claims-repository.ts'
import type { Outcomes } from '#server/mail/ledger/outcomes.ts'
import { type CurrentAccount, isSameSignIn, type SendingAccount } from '#server/mail/sending-account.ts'
import type { SendOutcome } from '#server/mail/smtp/send-outcome.ts'
import type { Circuit } from './circuit.ts'
import type { Deliveries } from './deliveries.ts'
import { endingOf } from './ending-of.ts'
import { createEndings } from './endings.ts'
import type { Leftovers } from './leftovers.ts'
import type { Obstacles } from './obstacles.ts'
import type { Turns } from './turns.ts'

/** Messages of one process that are under way at the same time, each over a connection of its own. */
const lanesAtMost = 3
/** How often the ledger is looked at when nothing says that there is something. All in milliseconds. */
const lookAgainMs = 15_000
/** After the database failed. */
const retryMs = 1_000
/** How long stopping waits for the messages under way. */
const patienceMs = 10_000
/** For writing their ends, after that. */
const lastWritesMs = 2_000

interface WorkerOptions {
  claims: Pick<ClaimsRepository, 'end'>
  leftovers: Leftovers
  turns: Turns
  deliveries: Deliveries
  circuit: Circuit
  obstacles: Obstacles
  outcomes: Outcomes
  account: CurrentAccount
  clock: Clock
  log: Logger
  /** Tells everybody, calmly, that messages have changed. */
  announce: () => void
}

/** Sends what the ledger holds: one message at a time in each of a few lanes. */
export function createMailWorker(options: WorkerOptions) {
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

  /** Milliseconds until there may be something to do. */
  function waitMs(): number {
    // What is due waits for an account, of which a notice tells.
    if (!account()) return lookAgainMs
    const untilTry = circuit.waitMs()
    const untilNext = nextAt === null ? lookAgainMs : Math.max(0, nextAt.getTime() - clock().getTime())
    return Math.min(lookAgainMs, untilTry > 0 ? untilTry : untilNext)
  }

  /** One message after the other, until there is none to be sent now. */
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

    /** Says that there may be something to send. */
    wake,

    /** Finishes the messages under way and claims no more. What takes too long is cut off. */
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
