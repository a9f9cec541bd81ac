import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { type MailCounts, type MailServiceStatus, mailSentences, mailStates } from '#shared/mail/mail.ts'
import type { ServerStatus, ServerTestResult, ServerTestStep } from '#shared/mail/server-test.ts'
import type { Topic } from '#shared/topics.ts'
import { enqueue, type NewMessage } from './ledger-repository.ts'
import type { CurrentAccount, SendingAccount } from './mailer.ts'
import {
  createClaimsRepository,
  createQuotaRepository,
  createServerFacts,
  type Quotas,
} from './queue-repository.ts'
import type { RenderMail } from './rendering/render.ts'
import { fieldErrorOf, isConnectionError, type SendOutcome } from './smtp/failures.ts'
import { type ComposedMessage, createComposer } from './smtp/message.ts'
import { connect, createTranscript, type SmtpSession, type Transcript, testLimits } from './smtp/session.ts'

// ms: bounds a server that answers each command just in time.
const testTimeoutMs = 60_000

interface ServerTestOptions {
  account: CurrentAccount
  sendTest: SendTest
}

export type ServerTestService = ReturnType<typeof createServerTestService>

export function createServerTestService({ account, sendTest }: ServerTestOptions) {
  return {
    /** @throws AppError `unavailable` while e-mail is not configured */
    async run(step: ServerTestStep, actor: Actor): Promise<ServerTestResult> {
      const sender = account()
      if (!sender) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
      const startedAt = performance.now()
      const transcript = createTranscript(sender.password)
      transcript.note(`Connecting to ${sender.host}, port ${sender.port}.`)
      const { ok, verdict } = await runStep(step, sender, transcript, actor)
      const tookMs = Math.round(performance.now() - startedAt)
      // The answer to QUIT isn’t awaited.
      return { step, ok, verdict: transcript.clean(verdict), lines: [...transcript.lines], tookMs }
    },
  }

  async function runStep(
    step: ServerTestStep,
    sender: SendingAccount,
    transcript: Transcript,
    actor: Actor,
  ): Promise<Pick<ServerTestResult, 'ok' | 'verdict'>> {
    let session: SmtpSession | undefined
    const deadline = AbortSignal.timeout(testTimeoutMs)
    try {
      session = await connect({ account: sender, limits: testLimits, deadline, transcript })
      if (step === 'connect') return { ok: true, verdict: `${sender.host} answers and can accept mail.` }
      const isSignInRequired = await session.signIn()
      if (step === 'authenticate') return { ok: true, verdict: signInVerdict(sender, isSignInRequired) }
      const { send } = session
      return await sendTest(sender, (message) => send(message, deadline), actor)
    } catch (error) {
      if (!isConnectionError(error)) throw error
      return { ok: false, verdict: fieldErrorOf(error, sender).message }
    } finally {
      session?.close()
    }
  }
}

function signInVerdict({ host, userName }: SendingAccount, isSignInRequired: boolean): string {
  return isSignInRequired
    ? `${host} accepted the password of ${userName}.`
    : `${host} does not require a sign-in.`
}

// ms: longer than the conversation can take.
const claimMs = 90_000

interface SendTestOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  render: RenderMail
  quotas: () => Quotas
  schoolName: () => string
}

type SendTest = ReturnType<typeof createSendTest>

/** Stored and counted in the quotas like every message, but never retried. */
export function createSendTest(options: SendTestOptions) {
  const { database, clock, audit, publish, quotas, schoolName } = options
  const compose = createComposer(options)

  async function claim(
    message: NewMessage & { id: string },
    claimId: string,
    actor: Actor,
  ): Promise<boolean> {
    return await database.transact(async (tx) => {
      const now = clock()
      const claims = createTestClaimRepository(tx)
      if (!(await claims.hasQuota(now, quotas()))) return false
      await enqueue(tx, [message], now)
      await claims.claim(message.id, claimId, new Date(now.getTime() + claimMs))
      await audit.record(tx, { action: 'mail-sent', actor, detail: { kind: 'test' } })
      return true
    })
  }

  return async (
    sender: SendingAccount,
    send: (message: ComposedMessage) => Promise<SendOutcome>,
    actor: Actor,
  ): Promise<Pick<ServerTestResult, 'ok' | 'verdict'>> => {
    const { senderAddress } = sender
    const name = sender.senderName || schoolName()
    const id = createId()
    const message: NewMessage & { id: string } = {
      id,
      kind: 'test',
      recipient: senderAddress,
      subject: `Test e-mail of ${name}`,
      content: { template: 'test' },
    }
    const claimId = createId()
    // Composed before it is stored: a claim whose message can’t be composed would end as unknown.
    const composed = await compose({ ...message, batch: null }, sender)
    if (!(await claim(message, claimId, actor)))
      return { ok: false, verdict: 'The e-mail limit in the settings is reached. Please try again later.' }
    const outcome = await send(composed)
    const end = claimResultOf(outcome)
    await createTestClaimRepository(database.db).end(id, claimId, end, clock())
    publish('mail')
    return outcome.end === 'sent'
      ? {
          ok: true,
          verdict: `${sender.host} accepted a test message to ${senderAddress}. Please check its inbox.`,
        }
      : { ok: false, verdict: end.failure }
  }
}

function claimResultOf(outcome: SendOutcome): { state: 'sent' | 'failed' | 'unknown'; failure: string } {
  switch (outcome.end) {
    case 'sent':
      return { state: 'sent', failure: '' }
    case 'unknown':
      return { state: 'unknown', failure: outcome.failure }
    case 'unreached':
      return { state: 'failed', failure: outcome.problem.sentence }
    case 'refused':
    case 'deferred':
      return { state: 'failed', failure: outcome.failure }
  }
}

function createTestClaimRepository(db: Queryable) {
  return {
    // Locks the quota until the transaction ends.
    async hasQuota(now: Date, quotas: Quotas): Promise<boolean> {
      await createClaimsRepository(db).lock()
      const { sending, inMinute, inDay } = await createQuotaRepository(db).count(now, quotas)
      return sending + inMinute < quotas.perMinute && sending + inDay < quotas.perDay
    },

    // By primary key.
    async claim(id: string, claim: string, until: Date): Promise<void> {
      await db
        .updateTable('mailMessages')
        .set({ state: 'sending', claim, claimedUntil: until })
        .where('id', '=', id)
        .execute()
    },

    async end(
      id: string,
      claim: string,
      { state, failure }: { state: 'sent' | 'failed' | 'unknown'; failure: string },
      at: Date,
    ): Promise<void> {
      await createClaimsRepository(db).end({ id, claim, state, failure, at, isAttempt: true })
    },
  }
}

interface ServerStatusOptions {
  db: Queryable
  dataDir: string
  version: string
  email: () => Promise<MailServiceStatus>
  clock: Clock
  log: Logger
}

export type ServerStatusService = ReturnType<typeof createServerStatus>

export function createServerStatus({ db, dataDir, version, email, clock, log }: ServerStatusOptions) {
  const facts = createServerFacts(db)
  const startedAt = clock()

  async function readOrNull<T>(what: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error, what }, 'server status item not read')
      return null
    }
  }

  async function readDisk() {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  }

  return async (): Promise<ServerStatus> => {
    const [database, queue, disk, emailStatus] = await Promise.all([
      readOrNull('database', facts.readDatabase),
      readOrNull('queue', async () => fillCounts(await facts.countMessages())),
      readOrNull('disk', readDisk),
      email(),
    ])
    return {
      version,
      startedAt: startedAt.toISOString(),
      uptimeSeconds: Math.floor(process.uptime()),
      database: database
        ? { reachable: true, ...database }
        : { reachable: false, version: '', sizeBytes: null },
      queue,
      disk,
      email: emailStatus,
    }
  }
}

function fillCounts(counted: readonly { state: string; count: number }[]): MailCounts {
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
  for (const state of mailStates) {
    counts[state] = counted.find((row) => row.state === state)?.count ?? 0
  }
  return counts
}
