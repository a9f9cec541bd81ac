import type { ImapFlowOptions } from 'imapflow'
import { isOwnMachine } from '#server/mail/smtp/smtp-options.ts'

/** The port that is encrypted from the first byte; at others STARTTLS is demanded. */
const encryptedPort = 993

/** How the server of a mailbox is connected to: as mail servers are, by the same demands. */
export function imapOptions({ host, port }: { host: string; port: number }): ImapFlowOptions {
  const isOwn = isOwnMachine(host)
  const secure = port === encryptedPort
  return {
    host,
    port,
    secure,
    ...(secure || isOwn ? {} : { doSTARTTLS: true }),
    tls: { rejectUnauthorized: !isOwn, minVersion: 'TLSv1.2' },
    logger: false,
  }
}
