import type { Logger } from 'pino'
import { v7 as createId } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import { addMessages } from '#server/mail/ledger/ledger-repository.ts'
import type { NewMessage } from '#server/mail/ledger/new-message.ts'
import type { WelcomeValues } from '#server/mail/mail-content.ts'
import type { Mailer, MailOutcome } from '#server/mail/mailer.ts'
import { welcomeSubject } from '#server/mail/rendering/templates/welcome.tsx'
import { mailLimits, mailSentences } from '#shared/mail.ts'
import { isMailAddress } from '#shared/mail-address.ts'
import type { Settings } from '#shared/settings.ts'
import type { Topic } from '#shared/topics.ts'
import { welcomeProblem, welcomeRefusals, welcomeSentences } from '#shared/welcome-mail.ts'
import { createWelcomeRepository } from './repository.ts'

/** How long a student waits for the mail server. */
const patienceMs = 3_000
const dayMs = 24 * 60 * 60 * 1000

interface WelcomeMailOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  log: Logger
  mailer: Mailer
  settings: () => Pick<Settings, 'schoolName'>
}

/** Who gets a welcome mail. */
export interface Welcomed {
  email: string
  values: WelcomeValues
  student?: { id: string; reference: string }
}

/** A welcome mail to write with its student, and what bounds it. */
export interface WelcomeMessage extends NewMessage {
  id: string
  /** So many since this instant, and no more. */
  limit: { since: Date; most: number }
}

/** What a registration's answer says of its mail. */
export interface WelcomeAnswer {
  emailSent: boolean
  /** A sentence for the student; null when it was accepted. */
  emailError: string | null
}

export type WelcomeMailService = ReturnType<typeof createWelcomeMailService>

/** The confirmation after an enlistment. */
export function createWelcomeMailService(options: WelcomeMailOptions) {
  const { database, clock, publish, audit, log, mailer, settings } = options

  function messageFor({ email, values, student }: Welcomed): WelcomeMessage {
    return {
      id: createId(),
      kind: 'welcome',
      ...(student ? { studentId: student.id } : {}),
      recipient: email,
      subject: welcomeSubject(settings()),
      content: { template: 'welcome', values },
      limit: { since: new Date(clock().getTime() - dayMs), most: mailLimits.welcomeADay },
    }
  }

  function handOver(): void {
    mailer.wake()
    publish('mail')
  }

  return {
    /** What is written with a student; null when no mail can be sent. Asks nobody: registering must not wait for mail. */
    prepare(welcomed: Welcomed): WelcomeMessage | null {
      return mailer.isConfigured() && isMailAddress(welcomed.email) ? messageFor(welcomed) : null
    },

    /** To be called after the commit of a message that was written. */
    handOver,

    /**
     * What the student is told, after at most 3 s. It never throws: the registration stands, whatever became of its mail.
     *
     * @param id of the message that was written; null when none was
     */
    async answer(id: string | null, email: string): Promise<WelcomeAnswer> {
      if (id === null) return { emailSent: false, emailError: whyNone(mailer.isConfigured(), email) }
      try {
        const { state } = await mailer.outcomeOf(id, patienceMs)
        const emailError = welcomeProblem(state)
        return { emailSent: emailError === null, emailError }
      } catch (error) {
        log.warn({ err: error }, 'the end of a welcome mail is not known')
        return { emailSent: false, emailError: welcomeSentences.waiting }
      }
    },

    /**
     * Sends one because somebody asks for it.
     *
     * @throws AppError `unavailable` while e-mail is not configured, `too_many_requests` when the address had its share of a day
     */
    async send(welcomed: Welcomed, actor: Actor): Promise<MailOutcome & { id: string }> {
      if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
      if (!isMailAddress(welcomed.email)) {
        const message = welcomeRefusals.badAddress
        throw new AppError('invalid', { detail: message, errors: [{ path: 'email', message }] })
      }
      const { limit, ...message } = messageFor(welcomed)
      await database.transact(async (tx) => {
        if (!(await createWelcomeRepository(tx).mayWelcome(message.recipient, limit.since, limit.most))) {
          throw new AppError('too_many_requests', { detail: welcomeRefusals.limited })
        }
        await addMessages(tx, [message], clock())
        const { student } = welcomed
        await audit.record(tx, {
          action: 'mail-sent',
          actor,
          detail: { kind: 'welcome' },
          ...(student ? { studentId: student.id, subject: student.reference } : {}),
        })
      })
      handOver()
      return { id: message.id, ...(await mailer.outcomeOf(message.id, patienceMs)) }
    },
  }
}

function whyNone(isConfigured: boolean, email: string): string {
  if (!isConfigured) return mailSentences.notConfigured
  return isMailAddress(email) ? welcomeSentences.limited : welcomeSentences.badAddress
}
