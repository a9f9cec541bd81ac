import { ImapFlow } from 'imapflow'
import { imapOptions } from '#server/mail/imap-options.ts'
import type { FieldError } from '#shared/problem.ts'
import type { Mailbox } from './service.ts'

/** For the connection, its greeting, and each answer. In milliseconds. */
const answerMs = 10_000

/** Signs in where returned mail is read. Gives what is to be mended in the form, or undefined when all is well. */
export async function testMailbox(mailbox: Mailbox): Promise<FieldError | undefined> {
  const { userName: user, password: pass, host } = mailbox
  const connection = new ImapFlow({
    ...imapOptions(mailbox),
    auth: { user, pass },
    verifyOnly: true,
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    socketTimeout: answerMs,
  })
  try {
    await connection.connect()
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
  } finally {
    connection.close()
  }
}

function isRefusedSignIn(error: unknown): boolean {
  return error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true
}
