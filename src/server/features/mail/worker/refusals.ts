import { v4 as createId } from 'uuid'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { RenderableMessage } from '#server/features/mail/rendering/render.ts'
import type { SendOutcome } from '#server/features/mail/smtp/failures.ts'
import type { Clock } from '#server/lib/clock.ts'

/** Different recipients who were refused alike before the account itself is in doubt. */
const enough = 3
// In ms. So long an answer is known to be about the recipients: a list with many dead addresses asks once.
const knownMs = 60 * 60_000

type Asked = RenderableMessage & { id: string }

interface RefusalsOptions {
  clock: Clock
  deliver: (message: Asked, account: SendingAccount) => Promise<SendOutcome>
  /** Messages that were refused before it was known that the account is meant: they wait again. */
  takeBack: (ids: readonly string[]) => Promise<void>
}

/**
 * Whether a server's refusal is about the recipient or about our account: a sending limit, a suspended account, a sender
 * that it may not use. No list of texts decides. When several recipients in a row get the same answer, a mail to the
 * sender's own address is tried: refused as well, it is the account.
 */
export function createRefusals({ clock, deliver, takeBack }: RefusalsOptions) {
  let code = ''
  /** By recipient: the message. */
  const alike = new Map<string, string>()
  const ofRecipients = new Map<string, number>()
  let asking: Promise<SendOutcome> | undefined

  function forget(): void {
    code = ''
    alike.clear()
  }

  async function ask(account: SendingAccount): Promise<SendOutcome> {
    asking ??= deliver(ownMessage(account.senderAddress), account).finally(() => {
      asking = undefined
    })
    return await asking
  }

  return {
    /** Nothing else is sent meanwhile. */
    isAsking: () => asking !== undefined,

    /** @returns the outcome, or that of the account where it is meant */
    async judge(message: Asked, outcome: SendOutcome, account: SendingAccount): Promise<SendOutcome> {
      if (outcome.end === 'sent') forget()
      if ((outcome.end !== 'refused' && outcome.end !== 'deferred') || !outcome.code) return outcome
      if ((ofRecipients.get(outcome.code) ?? 0) > clock().getTime()) return outcome
      if (outcome.code !== code) forget()
      code = outcome.code
      alike.set(message.recipient.toLowerCase(), message.id)
      if (alike.size < enough) return outcome
      const own = await ask(account)
      if (own.end === 'sent') {
        ofRecipients.set(outcome.code, clock().getTime() + knownMs)
        forget()
        return outcome
      }
      await takeBack([...alike.values()].filter((id) => id !== message.id))
      forget()
      return ofAccount(own)
    },

    /** @returns that of the account while it is still refused; undefined once it is accepted again */
    async askAgain(account: SendingAccount): Promise<SendOutcome | undefined> {
      const own = await ask(account)
      return own.end === 'sent' ? undefined : ofAccount(own)
    },
  }
}

function ofAccount(own: SendOutcome): SendOutcome {
  if (own.end === 'unreached' || own.end === 'sent') return own
  const sentence = `The mail server refuses everything that this account sends, also to its own address. ${own.failure}`
  return { end: 'unreached', problem: { kind: 'account', sentence } }
}

function ownMessage(recipient: string): Asked {
  return {
    id: createId(),
    kind: 'single',
    recipient,
    subject: 'Does this account still send?',
    content: {
      template: 'message',
      body: 'Several recipients in a row were refused with the same answer. This message checks whether the e-mail account itself is refused. As you read it, the account works, and the addresses of those recipients are the reason. No action is needed.',
      format: 'text',
    },
    batch: null,
  }
}
