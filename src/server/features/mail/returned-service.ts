import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { Logger } from 'pino'
import { v7 as createId, v4 as createToken, validate as isUuid } from 'uuid'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { cutPiece, openPlaceCursor, placeCursor } from '#server/lib/paging.ts'
import { type MailboxStatus, type ReturnedMessage, type ReturnedPage, returnedPageSize, returnedSentences } from '#shared/mail/returned-mail.ts'
import type { Topic } from '#shared/topics.ts'
import { type Candidate, type DeliveryReport, type Failure, type Mailbox, type MailboxReader, mailboxFailure, openMailbox, type MailboxPosition, readReport } from './mailbox-reader.ts'
import { type BounceRow, createBouncesRepository, createMailboxRepository } from './returned-repository.ts'

// ms: a longer reading goes on in the background.
const patienceMs = 15_000

interface ReturnedMailOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  mailbox: () => Mailbox | null
  check: Pick<MailboxCheck, 'now'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type ReturnedMailService = ReturnType<typeof createReturnedMailService>

export function createReturnedMailService(options: ReturnedMailOptions) {
  const { database, mailbox, check, clock, publish, audit } = options
  const bounces = createBouncesRepository(database.db)

  async function mailboxStatus(): Promise<MailboxStatus> {
    const isConfigured = mailbox() !== null
    const row = await createMailboxRepository(database.db).find()
    return {
      isConfigured,
      isChecking: isConfigured && (row?.isChecking ?? false),
      checkedAt: row?.checkedAt?.toISOString() ?? null,
      failure: isConfigured ? (row?.failure ?? '') : '',
    }
  }

  return {
    /** @throws AppError `invalid` for a cursor that is none of ours */
    async list(cursor: string): Promise<ReturnedPage> {
      const rows = await bounces.listOpen(openPlaceCursor(cursor), returnedPageSize + 1)
      const { shown, last } = cutPiece(rows, returnedPageSize)
      return {
        items: shown.map(present),
        nextCursor: last ? placeCursor({ at: last.receivedAt, id: last.id }) : null,
        openCount: await bounces.countOpen(),
        mailbox: await mailboxStatus(),
      }
    },

    /** @throws AppError `not_found` */
    async resolve(id: string, actor: Actor): Promise<void> {
      const isChanged = await database.transact(async (tx) => {
        const resolved = isUuid(id) ? await createBouncesRepository(tx).resolve(id, clock()) : undefined
        if (!resolved) throw new AppError('not_found', { detail: returnedSentences.missing })
        const { studentId } = resolved
        if (resolved.isChanged) {
          await audit.record(tx, { action: 'bounce-resolved', actor, ...(studentId ? { studentId } : {}) })
        }
        return resolved.isChanged
      })
      if (isChanged) publish('mail')
    },

    /** @throws AppError `invalid` where none is configured */
    async checkNow(): Promise<MailboxStatus> {
      if (!mailbox()) throw new AppError('invalid', { detail: returnedSentences.notConfigured })
      await check.now(patienceMs)
      return await mailboxStatus()
    },
  }
}

function present({ receivedAt, subject, ...row }: BounceRow): ReturnedMessage {
  return { ...row, receivedAt: receivedAt.toISOString(), subject: subject ?? '' }
}

// minutes
const everyMinutes = 10
// ms
const lookMs = 60_000
// ms
const pollMs = 250
// ms: after enoughMs no new page begins, after longestMs the connection is closed.
const enoughMs = 60_000
const longestMs = 90_000
const pieceSize = 50
const first = { days: 14, atMost: 2_000 }
const dayMs = 24 * 60 * 60_000

interface MailboxCheckOptions {
  mailbox: () => Mailbox | null
  database: Pick<AppDatabase, 'db' | 'transact'>
  notices: Pick<Notices, 'publish'>
  clock: Clock
  log: Logger
  closing: AbortSignal
}

class ReadingLost extends Error {
  override name = 'ReadingLost'
}

type MailboxCheck = ReturnType<typeof createMailboxCheck>

/** One process reads at a time. Reports and progress are stored in one transaction, so any process can resume after a crash. */
export function createMailboxCheck(options: MailboxCheckOptions) {
  const { mailbox, database, notices, clock, log, closing } = options
  const repository = createMailboxRepository(database.db)
  let running: Promise<void> | null = null

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

  async function read(account: Mailbox, token: string, place: MailboxPosition): Promise<string | null> {
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
    place: MailboxPosition,
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
    start(): void {
      const timer = setInterval(checkInBackground, lookMs, everyMinutes)
      closing.addEventListener('abort', () => clearInterval(timer))
      checkInBackground(everyMinutes)
    },

    // Waits for a reading that is under way, at most `withinMs` ms.
    async now(withinMs: number): Promise<void> {
      const until = AbortSignal.any([AbortSignal.timeout(withinMs), closing])
      const late = once(until, 'abort')
      const ended = async () => {
        await check(null)
        while (!until.aborted && (await repository.find())?.isChecking) await sleep(pollMs)
      }
      await Promise.race([ended(), late])
    },

    async close(): Promise<void> {
      // The caller already has the error.
      await running?.catch(() => undefined)
    },
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}

interface FoundReport {
  report: DeliveryReport
  mailboxUid: string
  receivedAt: Date
}

// ms: a report without a message id may be this late. Servers give up after five days.
const unnamedMs = 7 * 24 * 60 * 60_000

interface Match {
  message: SentMessage
  failure: Failure
}

/**
 * @param tx the transaction that also stores the progress
 * @returns how many are new
 */
async function storeReports(tx: Queryable, found: readonly FoundReport[], now: Date): Promise<number> {
  const matching = createMatchingRepository(tx)
  const bounces = createBouncesRepository(tx)
  const byId = new Map(
    (await matching.findByIds(found.flatMap(({ report }) => report.messageIds))).map((message) => [
      message.id,
      message,
    ]),
  )
  const unnamed = found.filter(({ report }) => !report.messageIds.some((id) => byId.has(id)))
  const addresses = unnamed.flatMap(({ report }) => report.failures.map(({ recipient }) => recipient))
  const byAddress = new Map(
    (await matching.findByRecipients(addresses, new Date(now.getTime() - unnamedMs))).map((message) => [
      message.recipient.toLowerCase(),
      message,
    ]),
  )
  const matched = found.flatMap((entry) => {
    const match = matchById(entry.report, byId) ?? matchByAddress(entry.report, byAddress)
    return match ? [{ ...entry, ...match }] : []
  })
  const withoutStudent = matched.filter(({ message }) => message.studentId === null)
  const students = await matching.findStudents(
    withoutStudent.map(({ message }) => message.recipient.toLowerCase()),
  )

  let stored = 0
  for (const { message, failure, mailboxUid, receivedAt } of matched) {
    const isNew = await bounces.insert({
      id: createId(),
      messageId: message.id,
      studentId: message.studentId ?? students.get(message.recipient.toLowerCase()) ?? null,
      recipient: message.recipient,
      // A mailbox's clock may be ahead of ours.
      receivedAt: receivedAt > now ? now : receivedAt,
      status: failure.status,
      diagnostic: failure.diagnostic,
      mailboxUid,
    })
    if (isNew) stored += 1
  }
  return stored
}

// A message has one recipient: other failures come from forwarding.
function matchById(
  { messageIds, failures }: DeliveryReport,
  byId: ReadonlyMap<string, SentMessage>,
): Match | null {
  const message = messageIds.map((id) => byId.get(id)).find((known) => known !== undefined)
  const failure =
    failures.find(({ recipient }) => recipient === message?.recipient.toLowerCase()) ?? failures[0]
  return message && failure ? { message, failure } : null
}

function matchByAddress(
  { failures }: DeliveryReport,
  byAddress: ReadonlyMap<string, SentMessage>,
): Match | null {
  for (const failure of failures) {
    const message = byAddress.get(failure.recipient)
    if (message) return { message, failure }
  }
  return null
}

interface SentMessage {
  id: string
  studentId: string | null
  recipient: string
}

// A report may arrive before the end of the sending is stored.
const mayComeBack = ['sent', 'unknown', 'sending'] as const

function createMatchingRepository(db: Queryable) {
  return {
    // Index: mail_messages_pkey.
    async findByIds(ids: readonly string[]): Promise<SentMessage[]> {
      if (ids.length === 0) return []
      return await db
        .selectFrom('mailMessages')
        .select(['id', 'studentId', 'recipient'])
        .where('id', 'in', [...ids])
        .where('state', 'in', mayComeBack)
        .execute()
    },

    /** @param addresses in lower case. Index: mail_messages_ended. */
    async findByRecipients(addresses: readonly string[], since: Date): Promise<SentMessage[]> {
      if (addresses.length === 0) return []
      const { rows } = await sql<SentMessage>`
        select distinct on (lower(recipient)) id, student_id, recipient
        from mail_messages
        where state in ('sent', 'unknown') and ended_at > ${since} and lower(recipient) = any(${[...addresses]}::text[])
        order by lower(recipient), ended_at desc`.execute(db)
      return rows
    },

    // Reads all students: an index would slow every enlistment for a rare query.
    async findStudents(addresses: readonly string[]): Promise<Map<string, string>> {
      if (addresses.length === 0) return new Map()
      const rows = await db
        .selectFrom('students')
        .select(['id', sql<string>`lower(email)`.as('address')])
        .where(sql<SqlBool>`lower(email) = any(${[...addresses]}::text[])`)
        .orderBy('registrationDate')
        .execute()
      return new Map(rows.map(({ address, id }) => [address, id]))
    },
  }
}
