import { once } from 'node:events'
import { v7 as createId, v4 as createToken } from 'uuid'
import { codeOf } from '#server/database/errors.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Staff } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustExist } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { decodeCursor, pageOf } from '#server/lib/paging.ts'
import { createTask, sleep, type Task } from '#server/lib/scheduler.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { returnedPageSize, returnedSentences } from '#shared/mail/returned-mail.ts'
import {
  type DeliveryReport,
  type Mailbox,
  type MailboxPosition,
  type MailboxReader,
  mailboxFailure,
  openMailbox,
  readReport,
} from './mailbox-reader.ts'
import {
  createBouncesRepository,
  createMailboxRepository,
  createMatchingRepository,
  type SentMessage,
} from './returned-repository.ts'

// ms: a longer reading goes on in the background.
const responseTimeoutMs = 15_000

export type ReturnedMailService = ReturnType<typeof createReturnedMailService>

export function createReturnedMailService(
  context: AppContext,
  mailbox: () => Mailbox | null,
  check: Pick<MailboxCheck, 'now'>,
) {
  const { database, audit, clock } = context
  const bounces = createBouncesRepository(database.db)

  async function mailboxStatus() {
    const isConfigured = mailbox() !== null
    const row = await createMailboxRepository(database.db).find()
    return {
      isConfigured,
      isChecking: isConfigured && (row?.isChecking ?? false),
      checkedAt: row?.checkedAt ?? null,
      failure: isConfigured ? (row?.failure ?? '') : '',
    }
  }

  return {
    async list(cursor: string, actor: Staff) {
      const rows = await bounces.listOpen(decodeCursor(cursor), actor.access, returnedPageSize + 1)
      const page = pageOf(rows, returnedPageSize, ({ receivedAt }) => receivedAt)
      const entry = { action: 'mail-listed', actor, affected: page.items.length } as const
      await audit.recordView(database.db, { ...entry, detail: { list: 'bounces' } }, cursor)
      return {
        ...page,
        items: page.items.map((row) => ({ ...row, subject: row.subject ?? '' })),
        openCount: await bounces.countOpen(actor.access),
        mailbox: await mailboxStatus(),
      }
    },

    resolve: (id: string, actor: Staff): Promise<void> =>
      commitChange(context, 'mail', async (tx, record) => {
        const resolved = await createBouncesRepository(tx).resolve(id, actor.access, clock())
        const { studentId, isChanged } = mustExist(resolved, returnedSentences.missing)
        if (isChanged) await record({ action: 'bounce-resolved', actor, ...(studentId ? { studentId } : {}) })
      }),

    async checkNow() {
      if (!mailbox()) throw new AppError('invalid', returnedSentences.notConfigured)
      await check.now(responseTimeoutMs)
      return await mailboxStatus()
    },
  }
}

const everyMinutes = 10
const checkIntervalMs = 60_000
const pollIntervalMs = 250
// ms: after readingBudgetMs no new batch begins, after connectionTimeoutMs the connection is closed.
const readingBudgetMs = 60_000
const connectionTimeoutMs = 90_000
const batchSize = 50
const firstReading = { days: 14, limit: 2_000 }
const dayMs = 24 * 60 * 60_000

interface MailboxCheckOptions extends Pick<AppContext, 'database' | 'notices' | 'clock' | 'log' | 'closing'> {
  mailbox: () => Mailbox | null
}

class LeaseLost extends Error {
  override name = 'LeaseLost'
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
    const position = await repository.claim(token, dueMinutes)
    if (!position) return
    notices.publish('mail')
    const failure = await read(account, token, position)
    if (failure === null) await repository.release(token)
    else await repository.finish(token, failure)
    notices.publish('mail')
  }

  async function read(account: Mailbox, token: string, position: MailboxPosition): Promise<string | null> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(connectionTimeoutMs)])
    let reader: MailboxReader | undefined
    try {
      reader = await openMailbox(account, signal)
      await readNewReports(reader, token, position, Date.now() + readingBudgetMs)
      return ''
    } catch (error) {
      if (error instanceof LeaseLost || closing.aborted) return null
      // Privacy: only the code, because a mail server’s words may name people.
      log.warn({ code: codeOf(error) }, 'mailbox not read; trying again later')
      return mailboxFailure(error, account)
    } finally {
      await reader?.close()
    }
  }

  async function readNewReports(
    reader: MailboxReader,
    token: string,
    position: MailboxPosition,
    until: number,
  ): Promise<void> {
    const since = new Date(clock().getTime() - firstReading.days * dayMs)
    const uids = await reader.newSince(position, { since, limit: firstReading.limit })
    for (let at = 0; at < uids.length && Date.now() < until; at += batchSize) {
      const batch = uids.slice(at, at + batchSize)
      const found: FoundReport[] = []
      for (const { uid, receivedAt } of await reader.candidatesAmong(batch)) {
        const report = await reportOf(reader, uid)
        if (report) found.push({ report, receivedAt, mailboxUid: `${reader.name} ${uid}` })
      }
      await database.transact(async (tx) => {
        const reached = { name: reader.name, lastUid: batch.at(-1) ?? position.lastUid }
        if (!(await createMailboxRepository(tx).advance(token, reached))) throw new LeaseLost()
        await storeReports(tx, found, clock())
      })
    }
  }

  async function reportOf(reader: MailboxReader, uid: number): Promise<DeliveryReport | null> {
    const source = await reader.read(uid)
    try {
      return source && (await readReport(source))
    } catch {
      // A broken or hostile message must not hold up the others.
      log.warn({ uid }, 'unreadable message in the mailbox skipped')
      return null
    }
  }

  let task: Task | undefined

  return {
    start(): void {
      const run = () => check(everyMinutes)
      task = createTask({ name: 'reading the mailbox', run, everyMs: checkIntervalMs, log, closing })
      task.wake()
    },

    // Waits for a reading that is under way, at most `withinMs` ms.
    async now(withinMs: number): Promise<void> {
      const until = AbortSignal.any([AbortSignal.timeout(withinMs), closing])
      const late = once(until, 'abort')
      const ended = async () => {
        await check(null)
        while (!until.aborted && (await repository.find())?.isChecking) await sleep(pollIntervalMs)
      }
      await Promise.race([ended(), late])
    },

    async close(): Promise<void> {
      await task?.close()
      // The caller already has the error.
      await running?.catch(() => undefined)
    },
  }
}

interface FoundReport {
  report: DeliveryReport
  mailboxUid: string
  receivedAt: Date
}

// ms: a report without a message id may be this late. Servers give up after five days.
const addressMatchMs = 7 * 24 * 60 * 60_000

// The transaction also stores the progress.
async function storeReports(tx: Queryable, found: readonly FoundReport[], now: Date): Promise<void> {
  const matching = createMatchingRepository(tx)
  const bounces = createBouncesRepository(tx)
  const sent = await matching.findByIds(found.flatMap(({ report }) => report.messageIds))
  const byId = new Map(sent.map((message) => [message.id, message]))
  const withoutId = found.filter(({ report }) => !report.messageIds.some((id) => byId.has(id)))
  const addresses = withoutId.flatMap(({ report }) => report.failures.map(({ recipient }) => recipient))
  const since = new Date(now.getTime() - addressMatchMs)
  const byAddress = new Map(
    (await matching.findByRecipients(addresses, since)).map((message) => [keyOf(message), message]),
  )
  const matched = found.flatMap((entry) => {
    const named = matchById(entry.report, byId)
    const match = named ?? matchByAddress(entry.report, byAddress)
    return match ? [{ ...entry, ...match, isNamed: named !== null }] : []
  })
  const withoutStudent = matched.filter(({ message, isNamed }) => isNamed && message.studentId === null)
  const students = await matching.findStudents(withoutStudent.map(({ message }) => keyOf(message)))
  for (const { message, isNamed, failure, mailboxUid, receivedAt } of matched) {
    // Security: an address is known to others, and such a report may be forged. It is listed, and is about nobody.
    const studentId = isNamed ? (message.studentId ?? students.get(keyOf(message)) ?? null) : null
    await bounces.insert({
      id: createId(),
      messageId: isNamed ? message.id : null,
      studentId,
      recipient: message.recipient,
      // Clock skew: the mailbox’s clock may be ahead.
      receivedAt: receivedAt > now ? now : receivedAt,
      status: failure.status,
      diagnostic: failure.diagnostic,
      mailboxUid,
    })
  }
}

function keyOf({ recipient }: SentMessage): string {
  return addressKey(recipient)
}

// A message has one recipient: other failures come from forwarding.
function matchById({ messageIds, failures }: DeliveryReport, byId: ReadonlyMap<string, SentMessage>) {
  const message = messageIds.map((id) => byId.get(id)).find((found) => found !== undefined)
  const failure = failures.find(({ recipient }) => message && recipient === keyOf(message)) ?? failures[0]
  return message && failure ? { message, failure } : null
}

function matchByAddress({ failures }: DeliveryReport, byAddress: ReadonlyMap<string, SentMessage>) {
  for (const failure of failures) {
    const message = byAddress.get(failure.recipient)
    if (message) return { message, failure }
  }
  return null
}
