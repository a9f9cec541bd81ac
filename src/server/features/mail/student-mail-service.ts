import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { commitChange, mustExist } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mailLimits, mailSentences } from '#shared/mail/mail.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { optOutSentences } from '#shared/mail/mail-history.ts'
import type { AnnouncementChoice } from '#shared/mail/mail-response.ts'
import { welcomeProblem, welcomeRefusals, welcomeSentences } from '#shared/mail/single-email.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { enqueue } from './ledger-repository.ts'
import type { MailOutcome, WelcomeValues } from './mailer.ts'
import { findMailedStudent, mayWelcome, messagesOfStudent } from './messages-repository.ts'
import { createOptOutHash, createOptOutRepository, keyOptOuts } from './opt-outs-repository.ts'
import { createCancellationsRepository, dayMs } from './queue-repository.ts'
import { type MailContext, mustBeConfigured } from './queue-service.ts'
import type { UnsubscribeTokens } from './rendering/renderer.ts'
import { welcomeSubject } from './rendering/templates.ts'

interface StudentMailOptions extends Omit<MailContext, 'mailer'> {
  optOuts: Pick<OptOutService, 'optedOutAmong' | 'change'>
  welcomes: Pick<WelcomeMailService, 'send'>
}

export type StudentMailService = ReturnType<typeof createStudentMailService>

export function createStudentMailService(options: StudentMailOptions) {
  const { database, audit, optOuts, welcomes } = options

  const studentOf = async (id: string) => mustExist(await findMailedStudent(database.db, id))

  async function read(id: string) {
    const { email } = await studentOf(id)
    const [optedOut, messages] = await Promise.all([
      optOuts.optedOutAmong(database.db, [email]),
      messagesOfStudent(database.db, id),
    ])
    return { optedOut: optedOut.has(email), messages }
  }

  return {
    async list(id: string, actor: Actor) {
      const { reference } = await studentOf(id)
      const entry = { action: 'mail-listed', actor, studentId: id, subject: reference } as const
      await audit.recordView(database.db, entry)
      return await read(id)
    },

    async changeAnnouncements(id: string, announcements: boolean, actor: Actor) {
      const { email, reference } = await studentOf(id)
      await commitChange(options, 'mail', async (tx, record) => {
        if (!(await optOuts.change(tx, email, announcements))) return
        const detail = { announcements }
        await record({ action: 'mail-opt-out-changed', actor, studentId: id, subject: reference, detail })
      })
      return await read(id)
    },

    async resendWelcome(id: string, actor: Actor): Promise<MailOutcome> {
      const { email, reference, firstName, lastName, nstpComponent } = await studentOf(id)
      const values = { firstName, lastName, nstpComponent, reference }
      return await welcomes.send({ email, values, student: { id, reference } }, actor)
    },
  }
}

const responseTimeoutMs = 3_000

interface WelcomeMailOptions extends MailContext, Pick<AppContext, 'log'> {
  settings: () => Pick<Settings, 'schoolName'>
}

export interface WelcomeRecipient {
  email: string
  values: WelcomeValues
  student?: { id: string; reference: string }
}

export type WelcomeMailService = ReturnType<typeof createWelcomeMailService>

export function createWelcomeMailService(options: WelcomeMailOptions) {
  const { database, clock, audit, log, mailer, settings } = options

  function messageFor({ email, values, student }: WelcomeRecipient) {
    return {
      id: createId(),
      kind: 'welcome' as const,
      studentId: student?.id ?? null,
      recipient: email,
      subject: welcomeSubject(settings(), values.language),
      content: { template: 'welcome' as const, values },
      limit: { since: new Date(clock().getTime() - dayMs), most: mailLimits.welcomeADay },
    }
  }

  return {
    // No I/O: registration must not wait for mail.
    prepare(welcomed: WelcomeRecipient) {
      return mailer.isConfigured() && isMailAddress(welcomed.email) ? messageFor(welcomed) : null
    },

    handOver: mailer.wake,

    // Waits at most 3 s and never throws: the registration is stored, with or without mail.
    async answer(id: string | null, email: string) {
      if (id === null) return { emailSent: false, emailError: skipReason(mailer.isConfigured(), email) }
      if (mailer.holdsWelcomes()) return { emailSent: false, emailError: welcomeSentences.waiting }
      try {
        const { state } = await mailer.outcomeOf(id, responseTimeoutMs)
        const emailError = welcomeProblem(state)
        return { emailSent: emailError === null, emailError }
      } catch (error) {
        log.warn({ err: error }, 'welcome mail result not read')
        return { emailSent: false, emailError: welcomeSentences.waiting }
      }
    },

    async send(welcomed: WelcomeRecipient, actor: Actor): Promise<MailOutcome & { id: string }> {
      mustBeConfigured(mailer)
      if (!isMailAddress(welcomed.email)) throw invalid('email', welcomeRefusals.badAddress)
      const { limit, ...message } = messageFor(welcomed)
      await database.transact(async (tx) => {
        if (!(await mayWelcome(tx, message.recipient, limit.since, limit.most))) {
          throw new AppError('too_many_requests', welcomeRefusals.limited)
        }
        await enqueue(tx, [message], clock())
        const { student } = welcomed
        await audit.record(tx, {
          action: 'mail-sent',
          actor,
          detail: { kind: 'welcome' },
          ...(student ? { studentId: student.id, subject: student.reference } : {}),
        })
      })
      mailer.wake()
      return { id: message.id, ...(await mailer.outcomeOf(message.id, responseTimeoutMs)) }
    },
  }
}

function skipReason(isConfigured: boolean, email: string): string {
  if (!isConfigured) return mailSentences.notConfigured
  return isMailAddress(email) ? welcomeSentences.limited : welcomeSentences.badAddress
}

interface OptOutServiceOptions
  extends Pick<AppContext, 'database' | 'clock' | 'publish' | 'secretKey' | 'log'> {
  tokens: Pick<UnsubscribeTokens, 'addressOf'>
}

export type OptOutService = ReturnType<typeof createOptOutService>

/** Whether announcements to an address were stopped. */
export async function hasOptedOut(db: Queryable, secretKey: Buffer, address: string): Promise<boolean> {
  return (await createOptOutRepository(db, createOptOutHash(secretKey)).optedOutAmong([address])).size > 0
}

/** The opt-out belongs to the address and outlives the record. Security: never reveals whether an address is registered. */
export function createOptOutService({
  database,
  clock,
  publish,
  tokens,
  secretKey,
  log,
}: OptOutServiceOptions) {
  const hash = createOptOutHash(secretKey)

  const addressOf = (token: string) => mustExist(tokens.addressOf(token), optOutSentences.unknownLink)

  async function change(tx: Queryable, address: string, announcements: boolean): Promise<boolean> {
    const repository = createOptOutRepository(tx, hash)
    if (announcements) return await repository.remove(address)
    const now = clock()
    await createCancellationsRepository(tx).cancelBulk(address, now)
    return await repository.add(address, now)
  }

  return {
    hash,

    async load() {
      const lost = await keyOptOuts(database.db, hash)
      if (lost > 0) log.warn({ count: lost }, 'opt-outs made with another SECRET_KEY are not known')
    },

    /** @param tx the transaction of the mail, or the database */
    optedOutAmong: (tx: Queryable, addresses: readonly string[]): Promise<Set<string>> =>
      createOptOutRepository(tx, hash).optedOutAmong(addresses),

    /**
     * Cancels queued mail in the same transaction. The caller publishes 'mail' after the commit.
     * @returns whether it changed
     */
    change,

    async byToken(token: string): Promise<AnnouncementChoice> {
      const address = addressOf(token)
      const optedOut = await createOptOutRepository(database.db, hash).optedOutAmong([address])
      return { address: masked(address), announcements: !optedOut.has(address) }
    },

    async changeByToken(token: string, announcements: boolean): Promise<AnnouncementChoice> {
      const address = addressOf(token)
      if (await database.transact((tx) => change(tx, address, announcements))) publish('mail')
      return { address: masked(address), announcements }
    },
  }
}

/** Security: links are forwarded, so the address is masked: 'a…@example.com'. */
function masked(address: string): string {
  return `${[...address][0] ?? ''}…${address.slice(address.lastIndexOf('@'))}`
}
