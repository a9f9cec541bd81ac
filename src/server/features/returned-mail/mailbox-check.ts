import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { v4 as createToken } from 'uuid'
import type { Clock } from '#server/clock.ts'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { type Mailbox, mailboxFailure } from '#server/mail/mailbox/mailbox-connection.ts'
import { readReport } from './delivery-report.ts'
import { type Candidate, type MailboxReader, openMailbox, type ReadingPlace } from './mailbox-reader.ts'
import { createMailboxRepository } from './mailbox-repository.ts'
import { type FoundReport, storeReports } from './store-reports.ts'

/** How often the mailbox is read, in minutes. */
const everyMinutes = 10
/** How often a process looks whether it is time, in milliseconds. */
const lookMs = 60_000
/** How often somebody who waits for another process looks, in milliseconds. */
const pollMs = 250
/** One reading: after the first time no new piece is begun, after the second the connection is cut. */
const enoughMs = 60_000
const longestMs = 90_000
/** Messages looked at between two notes of how far it got. */
const pieceSize = 50
/** What is read of a mailbox that was never read before. */
const first = { days: 14, atMost: 2_000 }
const dayMs = 24 * 60 * 60_000

interface MailboxCheckOptions {
  /** Null where nothing is configured to be read. */
  mailbox: () => Mailbox | null
  database: Pick<AppDatabase, 'db' | 'transact'>
  notices: Pick<Notices, 'publish'>
  clock: Clock
  log: Logger
  /** Aborts when the server stops. */
  closing: AbortSignal
}

/** Another process took the reading on, or the server stops. */
class ReadingLost extends Error {
  override name = 'ReadingLost'
}

export type MailboxCheck = ReturnType<typeof createMailboxCheck>

/**
 * Reads the mailbox for messages that came back: now and then, by one process at a time, and when somebody asks. What
 * was stored stands with how far it got in one transaction, so that after a crash any process goes on.
 */
export function createMailboxCheck(options: MailboxCheckOptions) {
  const { mailbox, database, notices, clock, log, closing } = options
  const repository = createMailboxRepository(database.db)
  let running: Promise<void> | null = null

  /** @param dueMinutes only when the last reading is so old; null for at once */
  function check(dueMinutes: number | null): Promise<void> {
    running ??= claimAndRead(dueMinutes).finally(() => {
      running = null
    })
    return running
  }

  async function claimAndRead(dueMinutes: number | null): Promise<void> {
    const account = mailbox()
    if (!account || closing.aborted) return
    const token = createToken()
    const place = await repository.claim(token, dueMinutes)
    if (!place) return
    notices.publish('mail')
    const failure = await read(account, token, place)
    if (failure === null) await repository.release(token)
    else await repository.finish(token, failure)
    notices.publish('mail')
  }

  /** @returns why it failed; '' when it did not; null when it was broken off */
  async function read(account: Mailbox, token: string, place: ReadingPlace): Promise<string | null> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(longestMs)])
    let reader: MailboxReader | undefined
    try {
      reader = await openMailbox(account, signal)
      await readPieces(reader, token, place, Date.now() + enoughMs)
      return ''
    } catch (error) {
      if (error instanceof ReadingLost || closing.aborted) return null
      // By its kind only: what a mail server says may name people.
      log.warn({ code: codeOf(error) }, 'mailbox not read; trying again later')
      return mailboxFailure(error, account)
    } finally {
      await reader?.close()
    }
  }

  async function readPieces(
    reader: MailboxReader,
    token: string,
    place: ReadingPlace,
    until: number,
  ): Promise<void> {
    const since = new Date(clock().getTime() - first.days * dayMs)
    const uids = await reader.newSince(place, { since, atMost: first.atMost })
    for (let at = 0; at < uids.length && Date.now() < until; at += pieceSize) {
      const piece = uids.slice(at, at + pieceSize)
      const found: FoundReport[] = []
      for (const candidate of await reader.candidatesAmong(piece)) {
        const report = await readCandidate(reader, candidate)
        if (report) found.push(report)
      }
      await database.transact(async (tx) => {
        const reached = { name: reader.name, lastUid: piece.at(-1) ?? place.lastUid }
        if (!(await createMailboxRepository(tx).advance(token, reached))) throw new ReadingLost()
        await storeReports(tx, found, clock())
      })
    }
  }

  async function readCandidate(
    reader: MailboxReader,
    { uid, receivedAt }: Candidate,
  ): Promise<FoundReport | null> {
    const source = await reader.read(uid)
    if (!source) return null
    try {
      const report = await readReport(source)
      return report && { report, receivedAt, mailboxUid: `${reader.name} ${uid}` }
    } catch {
      // Broken beyond reading, perhaps on purpose: the others must not wait for it.
      log.warn({ uid }, 'a message in the mailbox could not be understood and was passed over')
      return null
    }
  }

  function checkInBackground(dueMinutes: number | null) {
    check(dueMinutes).catch((error: unknown) => {
      if (!closing.aborted) log.warn({ err: error }, 'mailbox not read; trying again later')
    })
  }

  return {
    /** Reads it from now on, now and then. */
    start(): void {
      const timer = setInterval(checkInBackground, lookMs, everyMinutes)
      closing.addEventListener('abort', () => clearInterval(timer))
      checkInBackground(everyMinutes)
    },

    /** Reads it now, or waits for the one who does, but not longer than so many milliseconds. */
    async now(withinMs: number): Promise<void> {
      const until = AbortSignal.any([AbortSignal.timeout(withinMs), closing])
      const late = once(until, 'abort')
      const ended = async () => {
        await check(null)
        while (!until.aborted && (await repository.find())?.isChecking) await sleep(pollMs)
      }
      await Promise.race([ended(), late])
    },

    /** Waits until what was under way has let go of the mailbox. */
    async close(): Promise<void> {
      // Why it failed was told to whoever began it.
      await running?.catch(() => undefined)
    },
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}
