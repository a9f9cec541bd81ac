import { v4 as createId } from 'uuid'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { RenderableMessage } from '#server/features/mail/rendering/render.ts'
import type { SendOutcome } from '#server/features/mail/smtp/failures.ts'
import type { Clock } from '#server/lib/clock.ts'

/** Different recipients who were refused alike before the account itself is in doubt. */
const enough = 3
// For so many ms an answer is known to be about the recipients: a list with many dead addresses causes one test mail.
const knownMs = 60 * 60_000
/** The messages wait so many ms, and others are tried first: these may show that the account works. */
export const refusedAccountMs = 15 * 60_000

type Asked = RenderableMessage & { id: string }

interface RefusalsOptions {
  clock: Clock
  deliver: (message: Asked, account: SendingAccount) => Promise<SendOutcome>
  /** Messages that were refused before it was known that the account is meant: they wait again, until then. */
  takeBack: (ids: readonly string[], at: Date) => Promise<void>
}

/**
 * Whether a server's refusal is about the recipient or about our account: a sending limit, a suspended account, a sender
 * that it may not use. No list of texts decides. When several recipients in a row get the same answer, a mail to the
 * sender's own address is tried: where that gets the same answer too, it is the account.
 */
export function createRefusals({ clock, deliver, takeBack }: RefusalsOptions) {
  let code = ''
  /** Maps each recipient to the message that was refused. */
  const alike = new Map<string, string>()
  const knownUntil = new Map<string, number>()
  let isAccountRefused = false
  let asking: Promise<SendOutcome> | undefined

  function begin(next = ''): void {
    code = next
    alike.clear()
    isAccountRefused = false
  }

  function noteRecipients(): void {
    knownUntil.set(code, clock().getTime() + knownMs)
    begin()
  }

  async function ask(account: SendingAccount): Promise<SendOutcome> {
    asking ??= deliver(messageToSender(account.senderAddress), account).finally(() => {
      asking = undefined
    })
    return await asking
  }

  /** Several recipients in a row got the same answer, or the account was refused before. */
  function isInDoubt(recipient: string, id: string, answer: string): boolean {
    if ((knownUntil.get(answer) ?? 0) > clock().getTime()) return false
    if (answer !== code) begin(answer)
    alike.set(recipient.toLowerCase(), id)
    return alike.size >= enough || isAccountRefused
  }

  /** @returns the outcome of the account where it is meant */
  async function askFor(id: string, answer: string, account: SendingAccount) {
    const own = await ask(account)
    if (own.end === 'unreached') return own
    if (!('code' in own) || own.code !== answer) {
      noteRecipients()
      return undefined
    }
    const others = [...alike.values()].filter((one) => one !== id)
    alike.clear()
    isAccountRefused = true
    await takeBack(others, new Date(clock().getTime() + refusedAccountMs))
    const sentence = `The mail server refuses what this account sends, also to its own address. ${own.failure}`
    return { end: 'unreached', problem: { kind: 'account', sentence } } satisfies SendOutcome
  }

  return {
    /** Nothing else is sent meanwhile. */
    isAsking: () => asking !== undefined,

    /** @returns the outcome, or that of the account where it is meant */
    async judge(message: Asked, outcome: SendOutcome, account: SendingAccount): Promise<SendOutcome> {
      // An account whose own address has no mailbox is cleared here too: the test mail's answer meant nothing.
      if (outcome.end === 'sent' && isAccountRefused) noteRecipients()
      else if (outcome.end === 'sent') begin()
      if (!('code' in outcome) || outcome.code === undefined) return outcome
      const { recipient, id } = message
      const isAlike = isInDoubt(recipient, id, outcome.code)
      return (isAlike && (await askFor(id, outcome.code, account))) || outcome
    },
  }
}

function messageToSender(recipient: string): Asked {
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
