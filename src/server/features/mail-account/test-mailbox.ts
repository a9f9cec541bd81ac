import { connectToMailbox, type Mailbox } from '#server/mail/mailbox-connection.ts'
import type { FieldError } from '#shared/problem.ts'

/** For all of it, in milliseconds. */
const answerMs = 10_000

/** Signs in where returned mail is read. Gives what is to be mended in the form, or undefined when all is well. */
export async function testMailbox(mailbox: Mailbox): Promise<FieldError | undefined> {
  const { host } = mailbox
  try {
    const connection = await connectToMailbox(mailbox, AbortSignal.timeout(answerMs))
    connection.close()
    return undefined
  } catch (error) {
    if (isRefusedSignIn(error)) {
      return {
        path: 'imapHost',
        message: `${host} did not accept the user name and password for returned mail.`,
      }
    }
    return {
      path: 'imapHost',
      message: `${host} could not be read for returned mail. Please check the server and its port, or leave it empty.`,
    }
  }
}

function isRefusedSignIn(error: unknown): boolean {
  return error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true
}
