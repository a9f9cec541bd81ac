import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { createNotices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { enqueue, type NewMessage } from '#server/features/mail/ledger-repository.ts'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { createOptOutHash } from '#server/features/mail/opt-outs-repository.ts'
import type { Quotas } from '#server/features/mail/queue-repository.ts'
import type { RenderMail } from '#server/features/mail/rendering/render.ts'
import type { SmtpLimits } from '#server/features/mail/smtp/session.ts'
import { createMailSender } from '#server/features/mail/worker/mail-sender.ts'
import type { MailState } from '#shared/mail/mail.ts'
import { type MailSink, startMailSink } from './mail-sink.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { testKeys } from './test-server.ts'

// In ms.
const timeoutMs = 20_000

export const unlimitedQuotas: Quotas = { perDay: 1_000_000, perMinute: 1_000_000 }

interface SenderOptions {
  quotas?: Quotas
  limits?: SmtpLimits
  render?: RenderMail
  sends?: boolean
  publicAddress?: () => string
}

export type MailWorkerFixture = Awaited<ReturnType<typeof openMailWorkerFixture>>

/** A ledger with several senders, each as in its own process, and a clock that the test moves. */
async function openMailWorkerFixture() {
  const database = await createTestDatabase()
  const closes: (() => Promise<void>)[] = []
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => logged.push(line) })
  let account: SendingAccount | null = null
  const listeners: (() => void)[] = []
  let offsetMs = 0
  const clock = () => new Date(Date.now() + offsetMs)

  return {
    database,
    clock,
    logged,
    useAccount(used: SendingAccount | null) {
      account = used
      for (const listener of listeners) listener()
    },
    // In ms, for the ledger only.
    pass(ms: number) {
      offsetMs += ms
    },
    startSender(
      { quotas = unlimitedQuotas, sends = true, ...options }: SenderOptions = {},
      over: AppDatabase = database,
    ) {
      const notices = createNotices({ db: database.db, listenWith: database.connection, log })
      const sender = createMailSender({
        render: renderBody,
        publicAddress: () => 'https://nstp.school.example',
        ...options,
        database: over,
        notices,
        log,
        clock,
        timeZone: 'Asia/Manila',
        account: {
          current: () => account,
          load: async () => undefined,
          onChange: (listener) => listeners.push(listener),
        },
        quotas: () => quotas,
        optOuts: createOptOutHash(testKeys),
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
    queue: (messages: Partial<NewMessage>[]) => queueIn(database, messages, clock()),
    states: () => statesIn(database),
    read: (id: string) =>
      database.db.selectFrom('mailMessages').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    /** Waits until all messages have ended, except those scheduled for later. */
    async settled() {
      await until('all messages have ended', async () => {
        // In one query: between two queries a due message may have been claimed.
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

export function setUpMailWorkerFixture(use: (fixture: MailWorkerFixture, sink: MailSink) => void) {
  let fixture: MailWorkerFixture
  let sink: MailSink
  beforeEach(async () => {
    ;[fixture, sink] = await Promise.all([openMailWorkerFixture(), startMailSink()])
    fixture.useAccount(sink.account)
    use(fixture, sink)
  })
  afterEach(async () => {
    await fixture.close()
    await sink.close()
  })
}

const renderBody: RenderMail = async ({ subject, content }) => {
  const text = content.template === 'message' ? content.body : 'A message.'
  return { subject, text, html: `<p>${text}</p>`, headers: {}, attachments: [] }
}

function queueIn(
  { transact }: Pick<TestDatabase, 'transact'>,
  messages: Partial<NewMessage>[],
  now: Date,
): Promise<string[]> {
  return transact((tx) => enqueue(tx, messages.map(buildMessage), now))
}

export function buildMessage(overrides: Partial<NewMessage> = {}): NewMessage {
  return {
    kind: 'single',
    recipient: `${randomUUID()}@student.example`,
    subject: 'Drill on Saturday',
    content: { template: 'message', body: 'Please come at seven.', format: 'text' },
    ...overrides,
  }
}

async function statesIn({ db }: Pick<TestDatabase, 'db'>): Promise<Partial<Record<MailState, number>>> {
  const rows = await db
    .selectFrom('mailMessages')
    .select(({ fn }) => ['state', fn.countAll<string>().as('count')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + timeoutMs; !(await condition()); ) {
    if (Date.now() > end) throw new Error(`timed out after ${timeoutMs} ms waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
