import type { NodemailerError } from 'nodemailer'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { SendingAccount } from '#server/features/mail/mailer.ts'

/** @throws NodemailerError */
export function withConnection(
  connection: SMTPConnection,
  deadline: AbortSignal,
  step: (done: (error?: NodemailerError | null) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: NodemailerError | null) => {
      deadline.removeEventListener('abort', abort)
      connection.off('error', done)
      if (error) reject(error)
      else resolve()
    }
    const abort = () => {
      done(Object.assign(new Error('deadline exceeded'), { code: 'ETIMEDOUT' }))
      connection.close()
    }
    if (deadline.aborted) return abort()
    deadline.addEventListener('abort', abort)
    connection.on('error', done)
    step(done)
  })
}

// Loopback traffic can’t be intercepted.
const localHosts = new Set(['127.0.0.1', '::1', 'localhost'])

export function isLocalhost(host: string): boolean {
  return localHosts.has(host.toLowerCase())
}

/** Security: TLS and a valid certificate are required, except for localhost. */
export function smtpOptions({
  host,
  port,
  secure,
}: Pick<SendingAccount, 'host' | 'port' | 'secure'>): SMTPConnectionOptions {
  const isLocal = isLocalhost(host)
  return {
    host,
    port,
    secure,
    requireTLS: !secure && !isLocal,
    tls: { rejectUnauthorized: !isLocal, minVersion: 'TLSv1.2' },
  }
}
