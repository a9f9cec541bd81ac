import type { NodemailerError } from 'nodemailer'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'

/**
 * Runs one step of a conversation to its end: by its callback, by an error of the connection, or by the deadline,
 * which cuts the connection.
 *
 * @throws NodemailerError
 */
export function withConnection(
  connection: SMTPConnection,
  deadline: AbortSignal,
  step: (done: (error?: NodemailerError | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: NodemailerError | null) => {
      deadline.removeEventListener('abort', cut)
      connection.off('error', done)
      if (error) reject(error)
      else resolve()
    }
    const cut = () => {
      done(Object.assign(new Error('no time left'), { code: 'ETIMEDOUT' }))
      connection.close()
    }
    if (deadline.aborted) return cut()
    deadline.addEventListener('abort', cut)
    connection.on('error', done)
    step(done)
  })
}
