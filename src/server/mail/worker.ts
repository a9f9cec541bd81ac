import type { Logger } from 'pino'
import { v4 as createId } from 'uuid'
import type { Clock } from '#server/clock.ts'
import { codeOf } from '#server/database/errors.ts'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { createCircuit } from './circuit.ts'
import {
  type ClaimEnd,
  type ClaimedMessage,
  createClaimsRepository,
  type Quotas,
} from './claims-repository.ts'
import { composeMessage } from './compose-message.ts'
import type { Mailer, MailOutcome } from './mailer.ts'
import type { RenderMail } from './render.ts'
import { pauseAfter } from './retry-pauses.ts'
import type { SendOutcome } from './send-outcome.ts'
import type { CurrentAccount, SendingAccount } from './sending-account.ts'
import { openSmtpSession, type SmtpSession, smtpLimits } from './smtp-session.ts'
import { troubleOf } from './smtp-trouble.ts'

/** Longer than an attempt can take. */
const claimMs = 90_000
const lookAgainMs = 15_000
const pollMs = 200

interface WorkerOptions {
  database: AppDatabase
  notices: Notices
  log: Logger
  clock: Clock
  account: CurrentAccount
  render: RenderMail
  quotas: () => Quotas
}

/** Sends what the ledger holds, one message after the other. */
export function createMailWorker(options: WorkerOptions) {
  const { database, notices, log, clock, account, render, quotas } = options
  const circuit = createCircuit()
  const claims = createClaimsRepository(database.db)
  let isStarted = false
  let isClosing = false
  let session: SmtpSession | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function wake(): void {
    if (!isStarted || isClosing || running) return
    clearTimeout(timer)
    running = drain()
      .catch((error: unknown) => log.warn({ code: codeOf(error) }, 'mail not sent; trying again'))
      .finally(() => {
        running = undefined
        if (!isClosing) timer = setTimeout(wake, Math.min(circuit.waitMs() || lookAgainMs, lookAgainMs))
      })
  }

  async function drain(): Promise<void> {
    await claims.expire(clock(), 'Nobody knows whether the mail server took it.')
    for (;;) {
      const sender = account()
      if (isClosing || !sender || circuit.waitMs() > 0) return
      const message = await claimNext()
      if (!message) return
      const outcome = await attempt(message, sender)
      await claims.end(endOf(message, outcome))
      notices.publish('mail')
    }
  }

  function claimNext(): Promise<ClaimedMessage | undefined> {
    return database.transact(async (tx) => {
      const now = clock()
      const repository = createClaimsRepository(tx)
      await repository.lock()
      const { perDay, perMinute } = quotas()
      if ((await repository.countSpent(new Date(now.getTime() - 60_000), perMinute)) >= perMinute)
        return undefined
      const today = await repository.countSpent(new Date(now.getTime() - 86_400_000), perDay)
      if (today >= perDay) return undefined
      return repository.claimNext({
        claim: createId(),
        now,
        until: new Date(now.getTime() + claimMs),
        isUrgentOnly: today >= Math.ceil(perDay * 0.9),
      })
    })
  }

  async function attempt(message: ClaimedMessage, sender: SendingAccount): Promise<SendOutcome> {
    const deadline = AbortSignal.timeout(smtpLimits.messageMs)
    try {
      const from = { name: sender.senderName, address: sender.senderAddress }
      const rendered = await render(message, sender.senderAddress)
      const composed = await composeMessage({
        ...rendered,
        id: message.id,
        from,
        to: message.recipient,
        date: clock(),
      })
      try {
        if (!session?.isUsable()) session = await openSmtpSession(sender, smtpLimits, deadline)
      } catch (error) {
        const trouble = troubleOf(error instanceof Error ? error : new Error(String(error)))
        return { end: 'unreached', trouble }
      }
      return await session.send(composed, deadline)
    } catch (error) {
      log.error({ err: error, message: message.id }, 'a message could not be made')
      return { end: 'refused', failure: 'The message could not be made.' }
    }
  }

  function endOf({ id, claim, attempts }: ClaimedMessage, outcome: SendOutcome): ClaimEnd {
    const at = clock()
    const end = { id, claim, at, failure: '', isAttempt: true }
    switch (outcome.end) {
      case 'sent':
        circuit.succeed()
        return { ...end, state: 'sent' }
      case 'refused':
        return { ...end, state: 'failed', failure: outcome.failure }
      case 'unknown':
        return { ...end, state: 'unknown', failure: outcome.failure }
      case 'unreached':
        circuit.fail(outcome.trouble)
        return { ...end, state: 'queued', failure: outcome.trouble.sentence, isAttempt: false }
      case 'deferred': {
        const pause = pauseAfter(attempts + 1)
        if (pause === null) return { ...end, state: 'failed', failure: outcome.failure }
        return { ...end, state: 'queued', failure: outcome.failure, at: new Date(at.getTime() + pause) }
      }
    }
  }

  const stopListening = notices.subscribe((topic) => {
    if (topic === 'mail-account') circuit.reset()
    if (topic === 'mail' || topic === 'mail-account') wake()
  })

  async function outcomeOf(id: string, withinMs: number): Promise<MailOutcome> {
    for (const end = performance.now() + withinMs; ; ) {
      // The primary key.
      const found = await database.db
        .selectFrom('mailMessages')
        .select(['state', 'failure'])
        .where('id', '=', id)
        .executeTakeFirst()
      const stands = found ?? { state: 'cancelled' as const, failure: 'It was deleted.' }
      const isOver = stands.state !== 'queued' && stands.state !== 'sending'
      const trouble = circuit.trouble()
      if (isOver || !trouble || performance.now() > end) {
        if (isOver || performance.now() > end) return stands
      } else return { ...stands, failure: trouble.sentence }
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  const mailer: Mailer = { isConfigured: () => account() !== null, wake, outcomeOf }
  return {
    mailer,
    start(): void {
      isStarted = true
      wake()
    },
    async close(): Promise<void> {
      isClosing = true
      stopListening()
      clearTimeout(timer)
      await running
      session?.close()
    },
  }
}
