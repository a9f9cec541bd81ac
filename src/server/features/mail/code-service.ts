import type { Queryable } from '#server/database/schema.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { deriveKey, signatureOf } from '#server/lib/digest.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { codesPerDay } from '#shared/mail/mail-quota.ts'
import { codeLimits } from '#shared/my/my.ts'
import type { CodeMail } from '#shared/my/my-response.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { Language } from '#shared/site/language.ts'
import type { MailContext } from './mail-context.ts'
import { createCodeMessages } from './messages-repository.ts'
import { createClaimsRepository, createQuotaRepository, dayMs, minuteMs } from './queue-repository.ts'
import { ownMessage, startMail } from './start-service.ts'

/** The digits of a mailed code, of its id. Security: they are stored nowhere. */
export function createCodeDigits(secretKey: Buffer) {
  const key = deriveKey(secretKey, 'codes of students')
  return (codeId: string): string => {
    const number = signatureOf(key, codeId).readUIntBE(0, 6) % 10 ** codeLimits.digits
    return String(number).padStart(codeLimits.digits, '0')
  }
}

/** What a mail to a student at /my is about, which is read when it is sent. */
export function createCodeSecrets({ db, secretKey }: Pick<AppContext, 'db' | 'secretKey'>) {
  return {
    digitsOf: createCodeDigits(secretKey),
    referencesOf: (studentIds: readonly string[]) => createCodeMessages(db).references(studentIds),
  }
}

interface CodeMailOptions extends Pick<MailContext, 'audit' | 'clock' | 'secretKey' | 'quotas'> {
  mailer: Pick<MailContext['mailer'], 'isConfigured' | 'problem' | 'wake'>
  settings: () => Pick<Settings, 'schoolName'>
}

export interface Addressee {
  studentId: string
  email: string
  language: Language
}

export interface CodeOwner {
  studentId: string
  email: string
  codeId: string | null
  emailChangedAt: Date | null
}

export type CodeMailService = ReturnType<typeof createCodeMail>

/** Mail that a student at /my asks for: a code of the second step, and lost reference codes. */
export function createCodeMail(context: CodeMailOptions) {
  const { clock, secretKey, mailer, quotas, settings } = context
  return {
    digitsOf: createCodeDigits(secretKey),
    wake: mailer.wake,

    /** Race: until the transaction ends no other code is queued, and none is taken from the queue. */
    lock: async (tx: Queryable): Promise<void> => {
      await createClaimsRepository(tx).lock()
    },

    /** Whether a code can be mailed now, and why not. `codeId` is of the last one. */
    async stateOf(db: Queryable, of: CodeOwner): Promise<CodeMail> {
      const now = clock()
      const messages = createCodeMessages(db)
      const last = of.codeId === null ? undefined : await messages.find(of.codeId)
      const underWay = stateOfUnderWay(last, now)
      if (underWay) return underWay
      const hindrance = hindranceOf(of, last, now)
      // Privacy: the first step says not on which day the address changed.
      if (hindrance) return { state: hindrance, until: null }
      const queued = await messages.countQueued()
      const freeAt = await spentUntil(db, { studentId: of.studentId, queued }, now)
      if (freeAt) return { state: 'spent', until: freeAt.toISOString() }
      // A code that waits longer is cancelled.
      const inTime = (quotas().perMinute * codeLimits.validMs) / minuteMs
      return { state: queued >= inTime ? 'held' : 'ready', until: null }
    },

    /** Whether the digits of a code may be entered now. */
    async isValid(db: Queryable, codeId: string): Promise<boolean> {
      const message = await createCodeMessages(db).find(codeId)
      const endsAt = message?.state === 'queued' ? null : endOf(message)
      return endsAt !== null && endsAt > clock()
    },

    async enqueue(tx: Queryable, codeId: string, { language, ...to }: Addressee): Promise<void> {
      const message = ownMessage({ template: 'code', codeId, language }, to, settings().schoolName)
      await startMail(tx, context, message && { ...message, id: codeId })
    },

    /** Mails the reference codes of one mailbox. */
    async enqueueLost(tx: Queryable, studentIds: readonly string[], { language, ...to }: Addressee) {
      const content = { template: 'lost-code', studentIds, language } as const
      const message = mailer.isConfigured() ? ownMessage(content, to, settings().schoolName) : null
      await startMail(tx, context, message)
    },
  }

  function hindranceOf({ email, emailChangedAt }: CodeOwner, last: SentCode | undefined, now: Date) {
    if (!mailer.isConfigured() || !isMailAddress(email)) return 'off'
    const isNew = emailChangedAt && emailChangedAt.getTime() + codeLimits.newAddressMs > now.getTime()
    if (isNew) return 'changed'
    if (mailer.problem() !== '') return 'held'
    return isRefused(last, now) ? 'refused' : null
  }

  /** Returns the state of the last code, or null when its time has ended. */
  function stateOfUnderWay(last: SentCode | undefined, now: Date): CodeMail | null {
    const endsAt = endOf(last)
    if (endsAt === null || endsAt <= now) return null
    if (last?.state === 'queued' && mailer.problem() !== '') return { state: 'held', until: null }
    return { state: 'sent', until: endsAt.toISOString() }
  }

  /** When the share of the day, the whole day's quota or the student's own number is free again; null: it is. */
  async function spentUntil(
    db: Queryable,
    { studentId, queued }: { studentId: string; queued: number },
    now: Date,
  ): Promise<Date | null> {
    const limits = quotas()
    const quota = createQuotaRepository(db)
    const spent = await quota.count(now, limits)
    const most = codesPerDay(limits.perDay)
    const day = new Date(now.getTime() + dayMs)
    if (spent.codes + queued >= most) return (await quota.freeAt(now, dayMs, most - queued, 'code')) ?? day
    if (spent.sending + spent.inDay >= limits.perDay)
      return (await quota.freeAt(now, dayMs, limits.perDay)) ?? day
    const own = await createCodeMessages(db).ofDay(studentId, new Date(now.getTime() - dayMs))
    // What is left of the share is for those who have had none.
    const first = own[spent.codes + queued >= most / 2 ? 0 : codeLimits.aDay - 1]
    return first ? new Date(first.createdAt.getTime() + dayMs) : null
  }
}

interface SentCode {
  state: string
  createdAt: Date
  endedAt: Date | null
}

/** A day later the mailbox may take mail again. Another address ends the code. */
function isRefused(last: SentCode | undefined, now: Date): boolean {
  return last?.state === 'failed' && last.createdAt.getTime() > now.getTime() - dayMs
}

/** Ten minutes from sending; of one that is under way, when it would be cancelled. */
function endOf(message: SentCode | undefined): Date | null {
  if (!message) return null
  const { state, createdAt, endedAt } = message
  if (state === 'failed' || state === 'cancelled') return null
  return new Date((endedAt ?? createdAt).getTime() + codeLimits.validMs)
}
