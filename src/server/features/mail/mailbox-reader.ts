import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import { maxReportBytes } from './delivery-report.ts'
import { isOwnMachine } from './smtp/with-connection.ts'

const inbox = 'INBOX'

const tellingHeaders = ['content-type', 'from', 'x-failed-recipients']

export interface Candidate {
  uid: number
  receivedAt: Date
}

export interface ReadingPlace {
  name: string
  lastUid: number
}

export interface MailboxReader {
  name: string
  newSince: (place: ReadingPlace, first: { since: Date; atMost: number }) => Promise<number[]>
  candidatesAmong: (uids: readonly number[]) => Promise<Candidate[]>
  read: (uid: number) => Promise<Buffer | null>
  close: () => Promise<void>
}

/**
 * Read-only: nothing is marked, moved or deleted.
 * @throws Error for `mailboxFailure`, from every call
 */
export async function openMailbox(mailbox: Mailbox, signal: AbortSignal): Promise<MailboxReader> {
  const client = await connectToMailbox(mailbox, signal)
  try {
    const { uidValidity } = await client.mailboxOpen(inbox, { readOnly: true })
    return createReader(client, `${uidValidity} ${mailbox.userName}@${mailbox.host}`)
  } catch (error) {
    client.close()
    throw error
  }
}

function createReader(client: ImapFlow, name: string): MailboxReader {
  async function search(query: { uid: string } | { since: Date }): Promise<number[]> {
    const found = (await client.search(query, { uid: true })) || []
    return found.sort((a, b) => a - b)
  }

  return {
    name,

    async newSince(place, { since, atMost }) {
      if (place.name !== name) return (await search({ since })).slice(-atMost)
      // Asked for what comes after the last one, a server names the last one.
      const found = await search({ uid: `${place.lastUid + 1}:*` })
      return found.filter((uid) => uid > place.lastUid)
    },

    async candidatesAmong(uids) {
      const query = { uid: true, internalDate: true, headers: tellingHeaders }
      const messages = await client.fetchAll(uids.join(','), query, { uid: true })
      return messages
        .filter(({ headers }) => headers !== undefined && looksLikeReport(headers.toString('latin1')))
        .map(({ uid, internalDate }) => ({ uid, receivedAt: dateOf(internalDate) }))
    },

    async read(uid) {
      const query = { source: { maxLength: maxReportBytes } }
      const message = await client.fetchOne(String(uid), query, { uid: true })
      return (message ? message.source : undefined) ?? null
    },

    async close() {
      // A server that is gone needs no goodbye.
      await client.logout().catch(() => client.close())
    },
  }
}

function dateOf(instant: Date | string | undefined): Date {
  const date = new Date(instant ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? new Date() : date
}

export function looksLikeReport(headers: string): boolean {
  const unfolded = headers.toLowerCase().replace(/\r?\n[ \t]+/g, ' ')
  return unfolded.split(/\r?\n/).some((line) => {
    if (line.startsWith('content-type:'))
      return /multipart\/report\b.*\breport-type="?delivery-status/.test(line)
    if (line.startsWith('from:')) return /\b(?:mailer-daemon|postmaster)@/.test(line)
    return line.startsWith('x-failed-recipients:')
  })
}

export interface Mailbox {
  host: string
  port: number
  userName: string
  password: string
}

// ms
const silenceMs = 15_000

// Limits memory against a broken or hostile server. Sizes in bytes.
const sizeLimits = { maxLineLength: 2_000_000, maxLiteralSize: 2_000_000, maxResponseSize: 8_000_000 }

/**
 * Security: certificates are checked, and nothing is sent before TLS.
 * @throws Error for `mailboxFailure`
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
  // Without a listener a lost connection would end the process; the waiting caller gets the error as well.
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

/** Security: quotes nothing that the server said. */
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

const encryptedPort = 993

function imapOptions({ host, port }: { host: string; port: number }): ImapFlowOptions {
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
