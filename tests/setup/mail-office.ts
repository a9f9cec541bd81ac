import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { createNotices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { addMessages, type NewMessage } from '#server/features/mail/ledger-repository.ts'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { Quotas } from '#server/features/mail/queue-repository.ts'
import type { RenderMail } from '#server/features/mail/rendering/render.ts'
import type { SmtpLimits } from '#server/features/mail/smtp/smtp-session.ts'
import { createMailSender } from '#server/features/mail/worker/mail-sender.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** How long a test waits for what must come, in milliseconds. */
const patienceMs = 20_000

export const wideQuotas: Quotas = { perDay: 1_000_000, perMinute: 1_000_000 }

interface SenderOptions {
  quotas?: Quotas
  limits?: SmtpLimits
  render?: RenderMail
  /** Whether it sends; it only listens otherwise. */
  sends?: boolean
}

export type MailOffice = Awaited<ReturnType<typeof openMailOffice>>

/** A ledger with as many senders as a test starts, each as in a process of its own; at a time that the test moves. */
async function openMailOffice() {
  const database = await createTestDatabase()
  const closes: (() => Promise<void>)[] = []
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => logged.push(line) })
  let account: SendingAccount | null = null
  let passedMs = 0
  const clock = () => new Date(Date.now() + passedMs)

  return {
    database,
    clock,
    /** What was logged, a JSON line each. */
    logged,
    /** Who sends from now on. */
    useAccount(used: SendingAccount | null) {
      account = used
    },
    /** Lets time pass for the ledger, in milliseconds. */
    pass(ms: number) {
      passedMs += ms
    },
    /** Starts a sender; `over` another way to the database than the test's. */
    startSender(
      { quotas = wideQuotas, sends = true, ...options }: SenderOptions = {},
      over: AppDatabase = database,
    ) {
      const notices = createNotices({ db: database.db, listenWith: database.connection, log })
      const sender = createMailSender({
        render: renderBody,
        ...options,
        database: over,
        notices,
        log,
        clock,
        account: () => account,
        quotas: () => quotas,
        schoolName: () => 'Bagong Silang State College',
      })
      if (sends) sender.start()
      let isClosed = false
      const close = async () => {
        if (isClosed) return
        isClosed = true
        await sender.close()
        await notices.close()
      }
      closes.push(close)
      return { ...sender, close }
    },
    /** Writes messages into the ledger; gives their ids. */
    queue: (messages: Partial<NewMessage>[]) => queueIn(database, messages, clock()),
    /** How many messages are in which state. */
    states: () => statesIn(database),
    /** A message as it lies in the ledger. */
    read: (id: string) =>
      database.db.selectFrom('mailMessages').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Waits until all messages have ended but those that wait for their time. */
    async settled() {
      await until('all messages have ended', async () => {
        // In one look: between two of them a message that was due may have come under way.
        const left = await database.db
          .selectFrom('mailMessages')
          .select('id')
          .where(({ eb, or, and }) =>
            or([
              eb('state', '=', 'sending'),
              and([eb('state', '=', 'queued'), eb('notBefore', '<=', clock())]),
            ]),
          )
          .execute()
        return left.length === 0
      })
      return statesIn(database)
    },
    async close() {
      await Promise.all(closes.map((close) => close()))
      await database.close()
    },
  }
}

/** For each test of a suite: an office and a mail server that it sends by. */
export function prepareMailOffice(use: (office: MailOffice, sink: MailSink) => void) {
  let office: MailOffice
  let sink: MailSink
  beforeEach(async () => {
    ;[office, sink] = await Promise.all([openMailOffice(), startMailSink()])
    office.useAccount(sink.account)
    use(office, sink)
  })
  afterEach(async () => {
    await office.close()
    await sink.close()
  })
}

/** As plain as a message can be. */
const renderBody: RenderMail = async ({ subject, content }) => {
  const text = content.template === 'message' ? content.body : 'A message.'
  return { subject, text, html: `<p>${text}</p>`, headers: {}, attachments: [] }
}

/** Writes messages into a ledger; gives their ids. */
export function queueIn(
  { transact }: Pick<TestDatabase, 'transact'>,
  messages: Partial<NewMessage>[],
  now: Date,
): Promise<string[]> {
  return transact((tx) => addMessages(tx, messages.map(buildMessage), now))
}

/** A message to a recipient of its own. */
export function buildMessage(overrides: Partial<NewMessage> = {}): NewMessage {
  return {
    kind: 'single',
    recipient: `${randomUUID()}@student.example`,
    subject: 'Drill on Saturday',
    content: { template: 'message', body: 'Please come at seven.', format: 'text' },
    ...overrides,
  }
}

/** How many messages of a ledger are in which state. */
export async function statesIn({
  db,
}: Pick<TestDatabase, 'db'>): Promise<Partial<Record<MailState, number>>> {
  const rows = await db
    .selectFrom('mailMessages')
    .select(({ fn }) => ['state', fn.countAll<string>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** Waits for something that must come. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; !(await isSo()); ) {
    if (Date.now() > end) throw new Error(`waited ${patienceMs} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
