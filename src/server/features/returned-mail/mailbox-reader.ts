import type { ImapFlow } from 'imapflow'
import { connectToMailbox, type Mailbox } from '#server/mail/mailbox/mailbox-connection.ts'
import { maxReportBytes } from './delivery-report.ts'

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
