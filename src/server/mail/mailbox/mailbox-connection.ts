import { ImapFlow } from 'imapflow'
import { imapOptions } from './imap-options.ts'

/** Where messages that came back are read, and as whom. */
export interface Mailbox {
  host: string
  port: number
  userName: string
  password: string
}

/** How long a mail server may be silent, in milliseconds. */
const silenceMs = 15_000

/** Nothing that we ask for is longer: what a broken or hostile server sends must not fill the memory. */
const sizeLimits = { maxLineLength: 2_000_000, maxLiteralSize: 2_000_000, maxResponseSize: 8_000_000 }

/**
 * Signs in at a mailbox. Certificates are checked, and nothing is sent before the connection is safe.
 *
 * @param signal ends the connection, also while it is being made
 * @throws Error that `mailboxFailure` puts into a sentence
 */
export async function connectToMailbox(mailbox: Mailbox, signal: AbortSignal): Promise<ImapFlow> {
  const client = new ImapFlow({
    ...imapOptions(mailbox),
    auth: { user: mailbox.userName, pass: mailbox.password },
    disableAutoIdle: true,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    ...sizeLimits,
  })
  // Without a listener a lost connection would end the process; whoever waits for an answer gets the error as well.
  client.on('error', () => undefined)
  const close = () => client.close()
  signal.addEventListener('abort', close)
  client.on('close', () => signal.removeEventListener('abort', close))
  try {
    signal.throwIfAborted()
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

/** Why a mailbox could not be read, for the person who can mend it. Quotes nothing that a server said. */
export function mailboxFailure(error: unknown, { host, port }: Pick<Mailbox, 'host' | 'port'>): string {
  const { authenticationFailed = false, tlsFailed = false, code = '' } = detailsOf(error)
  const at = `${host}, port ${port}`
  if (authenticationFailed) {
    return `The mail server at ${at} refused the sign-in. Check the user name and the app password, and that the account allows IMAP.`
  }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(?:GET|VERIFY)|ISSUER/.test(code)) {
    return `The certificate of the mail server at ${at} is not valid. Check the address of the server.`
  }
  if (tlsFailed || /^(?:EPROTO|ERR_SSL|ERR_TLS|UPGRADE_TIMEOUT|STARTTLS)/.test(code)) {
    return `The mail server at ${at} offers no safe connection. Check the port: it is usually 993.`
  }
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return `There is no mail server at ${host}. Check the address of the server.`
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${at}. Check the address and the port of the server.`
  return `The mail server at ${at} did not answer as it should. It is asked again soon.`
}

function detailsOf(error: unknown): { authenticationFailed?: boolean; tlsFailed?: boolean; code?: string } {
  if (typeof error !== 'object' || error === null) return {}
  return {
    authenticationFailed: 'authenticationFailed' in error && error.authenticationFailed === true,
    tlsFailed: 'tlsFailed' in error && error.tlsFailed === true,
    code: 'code' in error && typeof error.code === 'string' ? error.code : '',
  }
}
