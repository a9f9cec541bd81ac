import { connectToMailbox, type Mailbox, mailboxFailure } from '#server/mail/mailbox/mailbox-connection.ts'
import type { FieldError } from '#shared/problem.ts'

/** In milliseconds. */
const wholeMs = 20_000

/** Signs in where returned mail is read. Gives what is to be mended in the form, or undefined when all is well. */
export async function testMailbox(mailbox: Mailbox): Promise<FieldError | undefined> {
  try {
    const connection = await connectToMailbox(mailbox, AbortSignal.timeout(wholeMs))
    connection.close()
    return undefined
  } catch (error) {
    return { path: 'imapHost', message: mailboxFailure(error, mailbox) }
  }
}
