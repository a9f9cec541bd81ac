import { v7 as createId } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { addMessages } from '#server/mail/ledger/ledger-repository.ts'
import type { NewMessage } from '#server/mail/ledger/new-message.ts'
import type { Quotas } from '#server/mail/ledger/quota.ts'
import type { RenderMail } from '#server/mail/rendering/render.ts'
import type { SendingAccount } from '#server/mail/sending-account.ts'
import { composeMessage } from '#server/mail/smtp/compose-message.ts'
import type { Conversation } from '#server/mail/smtp/conversation.ts'
import type { SendOutcome } from '#server/mail/smtp/send-outcome.ts'
import type { ServerTestResult } from '#shared/server-test.ts'
import type { Topic } from '#shared/topics.ts'
import { createOwnClaimRepository } from './own-claim-repository.ts'

/** Longer than the conversation can take. */
const claimMs = 90_000

interface SendTestOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  render: RenderMail
  quotas: () => Quotas
  /** Who sends when the account has no name of its own. */
  schoolName: () => string
}

export type SendTest = ReturnType<typeof createSendTest>

/**
 * Sends a test message to the sender's own address over a conversation that somebody looks at. It stands in the ledger
 * before it is sent, as every message, and counts in the quotas; but it is tried once only.
 */
export function createSendTest(options: SendTestOptions) {
  const { database, clock, audit, publish, render, quotas, schoolName } = options

  /** Writes the message for this conversation alone. False: the quota is used up. */
  async function claim(
    message: NewMessage & { id: string },
    claimId: string,
    actor: Actor,
  ): Promise<boolean> {
    return await database.transact(async (tx) => {
      const now = clock()
      const claims = createOwnClaimRepository(tx)
      if (!(await claims.hasPlace(now, quotas()))) return false
      await addMessages(tx, [message], now)
      await claims.claim(message.id, claimId, new Date(now.getTime() + claimMs))
      await audit.record(tx, { action: 'mail-sent', actor, detail: { kind: 'test' } })
      return true
    })
  }

  return async (
    sender: SendingAccount,
    conversation: Conversation,
    actor: Actor,
  ): Promise<Pick<ServerTestResult, 'ok' | 'verdict'>> => {
    const { senderAddress } = sender
    const name = sender.senderName || schoolName()
    const id = createId()
    const message: NewMessage & { id: string } = {
      id,
      kind: 'test',
      recipient: senderAddress,
      subject: `Test e-mail of ${name}`,
      content: { template: 'test' },
    }
    const rendered = await render({ ...message, batch: null }, senderAddress)
    const claimId = createId()
    // Made before it stands in the ledger: a claim whose message could not be made would end in doubt.
    const from = { name, address: senderAddress }
    const composed = await composeMessage({ ...rendered, id, from, to: senderAddress, date: clock() })
    if (!(await claim(message, claimId, actor)))
      return { ok: false, verdict: 'As many e-mails went out as the settings allow. Please try again later.' }
    const outcome = await conversation.send(composed)
    const end = endOf(outcome)
    await createOwnClaimRepository(database.db).end(id, claimId, end, clock())
    publish('mail')
    return outcome.end === 'sent'
      ? {
          ok: true,
          verdict: `${sender.host} accepted a test message to ${senderAddress}. Look into its inbox.`,
        }
      : { ok: false, verdict: end.failure }
  }
}

function endOf(outcome: SendOutcome): { state: 'sent' | 'failed' | 'unknown'; failure: string } {
  switch (outcome.end) {
    case 'sent':
      return { state: 'sent', failure: '' }
    case 'unknown':
      return { state: 'unknown', failure: outcome.failure }
    case 'unreached':
      return { state: 'failed', failure: outcome.trouble.sentence }
    case 'refused':
    case 'deferred':
      return { state: 'failed', failure: outcome.failure }
  }
}
