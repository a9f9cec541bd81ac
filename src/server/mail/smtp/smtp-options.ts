import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { SendingAccount } from '#server/mail/sending-account.ts'

/** This machine itself: what is said to it passes no network that anybody could listen on. */
const ownMachine = new Set(['127.0.0.1', '::1', 'localhost'])

export function isOwnMachine(host: string): boolean {
  return ownMachine.has(host.toLowerCase())
}

/**
 * How a mail server is connected to: every one but this machine's own must encrypt, and show a certificate that is
 * valid for its name.
 */
export function smtpOptions({
  host,
  port,
  secure,
}: Pick<SendingAccount, 'host' | 'port' | 'secure'>): SMTPConnectionOptions {
  const isOwn = isOwnMachine(host)
  return {
    host,
    port,
    secure,
    requireTLS: !secure && !isOwn,
    tls: { rejectUnauthorized: !isOwn, minVersion: 'TLSv1.2' },
  }
}
