import { validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { mailDecisionSentences as sentences } from '#shared/mail/mail-history.ts'
import type { Topic } from '#shared/topics.ts'
import { addressOfNow } from './batch-repository.ts'
import type { Mailer } from './mailer.ts'
import {
  createDecisionsRepository,
  createMessagesRepository,
  type DecidedMessage,
} from './messages-repository.ts'

interface MailDecisionsOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
  optedOutOf: (db: Queryable, keys: readonly string[]) => Promise<ReadonlySet<string>>
}

export type SettledAs = 'sent' | 'failed'

export type MailDecisions = ReturnType<typeof createMailDecisions>

export function createMailDecisions(options: MailDecisionsOptions) {
  const { database, clock, audit, publish, mailer, optedOutOf } = options

  async function mustBeRepeatable(tx: Queryable, message: DecidedMessage, address: string): Promise<void> {
    const { kind, state, batchState, isRepeated } = message
    const refuse = (detail: string): never => {
      throw new AppError('conflict', { detail })
    }
    if (state !== 'failed' && state !== 'unknown') refuse(sentences.notToSendAgain)
    if (batchState === 'cancelled') refuse(sentences.cancelled)
    if (isRepeated) refuse(sentences.repeated)
    const isForMany = kind === 'bulk' || kind === 'announcement'
    const unwanted = isForMany ? await optedOutOf(tx, [addressKey(address)]) : new Set()
    if (unwanted.size > 0) refuse(sentences.optedOut)
  }

  return {
    /** @throws AppError `not_found`, `conflict` when it is not to be sent again, `unavailable` while e-mail is not configured */
    async sendAgain(id: string, actor: Actor): Promise<void> {
      if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
      await database.transact(async (tx) => {
        const decisions = createDecisionsRepository(tx)
        const message = await lockedMessage(decisions, id)
        const address = addressOfNow(message)
        await mustBeRepeatable(tx, message, address)
        await decisions.queue(id, address, clock())
        await audit.record(tx, entryOf(id, message, 'send again', actor))
      })
      mailer.wake()
      publish('mail')
    },

    /** @throws AppError `not_found`, `conflict` when it is known by now */
    async settle(id: string, as: SettledAs, actor: Actor): Promise<void> {
      await database.transact(async (tx) => {
        const decisions = createDecisionsRepository(tx)
        const message = await lockedMessage(decisions, id)
        if (message.state !== 'unknown') throw new AppError('conflict', { detail: sentences.notUnknown })
        await decisions.settle(id, as, failureOf(as))
        await audit.record(tx, entryOf(id, message, as, actor))
      })
      publish('mail')
    },

    /** @throws AppError `not_found` */
    async settleBatch(batchId: string, as: SettledAs, actor: Actor): Promise<number> {
      const count = await database.transact(async (tx) => {
        if (!isUuid(batchId) || !(await createMessagesRepository(tx).hasBatch(batchId))) {
          throw new AppError('not_found', { detail: sentences.batchNotFound })
        }
        const settled = await createDecisionsRepository(tx).settleBatch(batchId, as, failureOf(as))
        if (settled === 0) return 0
        const detail = { batch: batchId, was: 'unknown', as }
        await audit.record(tx, { action: 'mail-decided', actor, affected: settled, detail })
        return settled
      })
      if (count > 0) publish('mail')
      return count
    },
  }
}

async function lockedMessage(decisions: ReturnType<typeof createDecisionsRepository>, id: string) {
  const message = isUuid(id) ? await decisions.lock(id) : undefined
  if (!message) throw new AppError('not_found', { detail: sentences.notFound })
  return message
}

function failureOf(as: SettledAs): string {
  return as === 'failed' ? sentences.settledAsFailed : ''
}

function entryOf(id: string, { state, studentId }: DecidedMessage, as: string, actor: Actor) {
  return {
    action: 'mail-decided',
    actor,
    ...(studentId ? { studentId } : {}),
    detail: { message: id, was: state, as },
  } as const
}
