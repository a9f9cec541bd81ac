import type { Actor } from '#server/actor.ts'
import { AppError } from '#server/errors.ts'
import type { CurrentAccount, SendingAccount } from '#server/mail/sending-account.ts'
import { explainFailure, isConnectionError } from '#server/mail/smtp/connection-failures.ts'
import { type Conversation, openConversation } from '#server/mail/smtp/conversation.ts'
import { createTranscript } from '#server/mail/smtp/transcript.ts'
import { mailSentences } from '#shared/mail.ts'
import type { ServerTestResult, ServerTestStep } from '#shared/server-test.ts'
import type { SendTest } from './send-test.ts'

/** A server that answers each time in the last moment must not hold somebody for ever. In milliseconds. */
const wholeMs = 60_000

interface ServerTestOptions {
  account: CurrentAccount
  sendTest: SendTest
}

export type ServerTestService = ReturnType<typeof createServerTestService>

/** Talks to the configured mail server as sending does, and shows what was said. */
export function createServerTestService({ account, sendTest }: ServerTestOptions) {
  return {
    /**
     * Connects, and with `authenticate` signs in, and with `send` sends a test message to the sender's own address.
     *
     * @throws AppError `unavailable` while e-mail is not configured
     */
    async run(step: ServerTestStep, actor: Actor): Promise<ServerTestResult> {
      const sender = account()
      if (!sender) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
      const begunAt = performance.now()
      const transcript = createTranscript([sender.password])
      transcript.note(`Connecting to ${sender.host}, port ${sender.port}.`)
      const { ok, verdict } = await talk(step, sender, transcript, actor)
      const tookMs = Math.round(performance.now() - begunAt)
      // What the server says to our leave isn't waited for.
      return { step, ok, verdict: transcript.clean(verdict), lines: [...transcript.lines], tookMs }
    },
  }

  async function talk(
    step: ServerTestStep,
    sender: SendingAccount,
    transcript: ReturnType<typeof createTranscript>,
    actor: Actor,
  ): Promise<Pick<ServerTestResult, 'ok' | 'verdict'>> {
    let conversation: Conversation | undefined
    try {
      const deadline = AbortSignal.timeout(wholeMs)
      conversation = await openConversation({ account: sender, transcript, deadline })
      if (step === 'connect')
        return { ok: true, verdict: `${sender.host} answers, and mail can be handed to it.` }
      const isAsked = await conversation.signIn()
      if (step === 'authenticate') return { ok: true, verdict: signInVerdict(sender, isAsked) }
      return await sendTest(sender, conversation, actor)
    } catch (error) {
      if (!isConnectionError(error)) throw error
      return { ok: false, verdict: explainFailure(error, sender).message }
    } finally {
      conversation?.close()
    }
  }
}

function signInVerdict({ host, userName }: SendingAccount, isAsked: boolean): string {
  return isAsked ? `${host} accepted the password of ${userName}.` : `${host} asks nobody to sign in.`
}
