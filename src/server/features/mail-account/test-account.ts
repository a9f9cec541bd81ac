import { AppError } from '#server/errors.ts'
import type { Mailbox } from '#server/mail/mailbox/mailbox-connection.ts'
import type { SendingAccount } from '#server/mail/sending-account.ts'
import { explainFailure, isConnectionError } from '#server/mail/smtp/connection-failures.ts'
import { openConversation } from '#server/mail/smtp/conversation.ts'
import { createTranscript } from '#server/mail/smtp/transcript.ts'
import type { FieldError } from '#shared/problem.ts'
import { testMailbox } from './test-mailbox.ts'

/** A server that answers each time in the last moment must not hold the form for ever. In milliseconds. */
const wholeMs = 25_000

/**
 * Tries a configuration: connects, encrypts, checks the certificate, and signs in, at both servers.
 *
 * @throws AppError `invalid` with the field to mend
 */
export async function testAccount(account: SendingAccount, mailbox: Mailbox | null): Promise<void> {
  const problem = (await testSending(account)) ?? (mailbox ? await testMailbox(mailbox) : undefined)
  if (problem) throw new AppError('invalid', { detail: problem.message, errors: [problem] })
}

async function testSending(account: SendingAccount): Promise<FieldError | undefined> {
  const transcript = createTranscript([account.password])
  try {
    const conversation = await openConversation({
      account,
      transcript,
      deadline: AbortSignal.timeout(wholeMs),
    })
    try {
      await conversation.signIn()
    } finally {
      conversation.close()
    }
    return undefined
  } catch (error) {
    if (!isConnectionError(error)) throw error
    const { path, message } = explainFailure(error, account)
    return { path, message: transcript.clean(message) }
  }
}
