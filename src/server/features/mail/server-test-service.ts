import { statfs } from 'node:fs/promises'
import { v7 as createId } from 'uuid'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { productVersion } from '#server/lib/version.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import type { MailServiceStatus, ServerTestResult, ServerTestStep } from '#shared/mail/mail-response.ts'
import type { NewMessage } from './ledger-repository.ts'
import type { MailContext } from './mail-context.ts'
import type { SendingAccount } from './mailer.ts'
import {
  countMessages,
  createClaimsRepository,
  createQuotaRepository,
  readDatabaseFacts,
} from './queue-repository.ts'
import { fieldErrorOf, isConnectionError } from './smtp/failures.ts'
import { createComposer } from './smtp/message.ts'
import { connect, createTranscript, type SmtpSession, type Transcript, testLimits } from './smtp/session.ts'
import { startMail } from './start-service.ts'
import { claimMs } from './worker/dequeue.ts'

// ms: bounds a server that answers each command just in time.
const testTimeoutMs = 60_000

export type ServerTestService = ReturnType<typeof createServerTestService>

export function createServerTestService(context: MailContext) {
  const { account, database, clock, publish, quotas, schoolName } = context
  const compose = createComposer(context)

  async function runStep(step: ServerTestStep, sender: SendingAccount, transcript: Transcript, actor: Actor) {
    const { host, userName, tokens } = sender
    const deadline = AbortSignal.timeout(testTimeoutMs)
    let session: SmtpSession | undefined
    try {
      session = await connect({ account: sender, limits: testLimits, deadline, transcript })
      if (step === 'connect') return { ok: true, verdict: `${host} answers and can accept mail.` }
      const isSignInRequired = await session.signIn()
      if (step === 'send') return await sendTest(sender, session, deadline, actor)
      const accepted = `${host} accepted the ${tokens ? 'permission' : 'password'} of ${userName}.`
      return { ok: true, verdict: isSignInRequired ? accepted : `${host} does not require a sign-in.` }
    } catch (error) {
      if (!isConnectionError(error)) throw error
      return { ok: false, verdict: fieldErrorOf(error, sender).message }
    } finally {
      session?.close()
    }
  }

  // Stored and counted in the quotas like every message, but never retried.
  async function sendTest(sender: SendingAccount, session: SmtpSession, deadline: AbortSignal, actor: Actor) {
    const { host, senderAddress, senderName } = sender
    const message = {
      id: createId(),
      kind: 'test' as const,
      recipient: senderAddress,
      subject: `Test e-mail of ${senderName || schoolName()}`,
      content: { template: 'test' as const },
    }
    const claim = createId()
    // Composed before it is stored: a claim whose message can’t be composed would end as unknown.
    const composed = await compose({ ...message, batch: null }, sender)
    if (!(await store(message, claim, actor))) {
      return { ok: false, verdict: 'The e-mail limit in the settings is reached. Please try again later.' }
    }
    const outcome = await session.send(composed, deadline)
    const { end } = outcome
    const failure = end === 'unreached' ? outcome.problem.sentence : end === 'sent' ? '' : outcome.failure
    const state = end === 'sent' || end === 'unknown' ? end : 'failed'
    const claims = createClaimsRepository(database.db)
    await claims.end({ id: message.id, claim, state, failure, at: clock(), isAttempt: true })
    publish('mail')
    const accepted = `${host} accepted a test message to ${senderAddress}. Please check its inbox.`
    return end === 'sent' ? { ok: true, verdict: accepted } : { ok: false, verdict: failure }
  }

  // False when the quota is spent. Locks it until the transaction ends.
  function store(message: NewMessage & { id: string }, claim: string, actor: Actor): Promise<boolean> {
    return database.transact(async (tx) => {
      const now = clock()
      const limits = quotas()
      const claims = createClaimsRepository(tx)
      await claims.lock()
      const { sending, inMinute, inDay } = await createQuotaRepository(tx).count(now, limits)
      if (sending + inMinute >= limits.perMinute || sending + inDay >= limits.perDay) return false
      await startMail(tx, context, message, { actor })
      await claims.claim(message.id, claim, new Date(now.getTime() + claimMs))
      return true
    })
  }

  return async (step: ServerTestStep, actor: Actor): Promise<ServerTestResult> => {
    const sender = account()
    if (!sender) throw new AppError('unavailable', mailSentences.notConfigured)
    const startedAt = performance.now()
    const transcript = createTranscript(sender.password)
    transcript.note(`Connecting to ${sender.host}, port ${sender.port}.`)
    const { ok, verdict } = await runStep(step, sender, transcript, actor)
    const tookMs = Math.round(performance.now() - startedAt)
    // The answer to QUIT isn’t awaited.
    return { step, ok, verdict: transcript.clean(verdict), lines: [...transcript.lines], tookMs }
  }
}

export type ServerStatusService = ReturnType<typeof createServerStatus>

export function createServerStatus(
  { db, env, clock, log, proxy }: AppContext,
  email: () => Promise<MailServiceStatus>,
) {
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
    const { bavail, blocks, bsize } = await statfs(env.DATA_DIR)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  }

  return async () => {
    const [database, queue, disk, emailStatus] = await Promise.all([
      readOrNull('database', () => readDatabaseFacts(db)),
      readOrNull('queue', () => countMessages(db)),
      readOrNull('disk', readDisk),
      email(),
    ])
    return {
      version: productVersion,
      startedAt,
      uptimeSeconds: Math.floor(process.uptime()),
      database: { reachable: database !== null, version: '', sizeBytes: null, ...database },
      queue,
      disk,
      email: emailStatus,
      proxyIgnored: proxy.isIgnored,
    }
  }
}
