import { ImapFlow, type ImapFlowOptions } from 'imapflow'
import { maxReportBytes } from './delivery-report.ts'
import { isOwnMachine } from './smtp/with-connection.ts'

/** Where messages that came back arrive. */
const inbox = 'INBOX'

/** The headers that tell a delivery-status message from the mail of people, which is left alone. */
const tellingHeaders = ['content-type', 'from', 'x-failed-recipients']

/** A message that looks as if it says that another came back. */
export interface Candidate {
  uid: number
  receivedAt: Date
}

/** How far a mailbox was read. */
export interface ReadingPlace {
  /** Whose mailbox it was, and its own word for whether the numbers still count. */
  name: string
  lastUid: number
}

export interface MailboxReader {
  name: string
  /**
   * The numbers of the messages to look at, the oldest first.
   *
   * @param first where reading begins in a mailbox that was not read before: at most so many, since this day
   */
  newSince: (place: ReadingPlace, first: { since: Date; atMost: number }) => Promise<number[]>
  /** Those of a few messages that are worth reading. */
  candidatesAmong: (uids: readonly number[]) => Promise<Candidate[]>
  /** A message, cut off where no report goes on; null when it is there no more. */
  read: (uid: number) => Promise<Buffer | null>
  /** Signs out. */
  close: () => Promise<void>
}

/**
 * Opens a mailbox to read only: nothing in it is marked, moved or deleted.
 *
 * @param signal ends the connection at once
 * @throws Error that `mailboxFailure` puts into a sentence, from every call
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

/** When it came; now for a server that doesn't know. */
function dateOf(instant: Date | string | undefined): Date {
  const date = new Date(instant ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? new Date() : date
}

/** @param headers the telling ones, as they were sent */
export function looksLikeReport(headers: string): boolean {
  const unfolded = headers.toLowerCase().replace(/\r?\n[ \t]+/g, ' ')
  return unfolded.split(/\r?\n/).some((line) => {
    if (line.startsWith('content-type:'))
      return /multipart\/report\b.*\breport-type="?delivery-status/.test(line)
    if (line.startsWith('from:')) return /\b(?:mailer-daemon|postmaster)@/.test(line)
    return line.startsWith('x-failed-recipients:')
  })
}

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

/** The port that is encrypted from the first byte; at others STARTTLS is demanded. */
const encryptedPort = 993

/** How the server of a mailbox is connected to: as mail servers are, by the same demands. */
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
