import * as z from 'zod/mini'
import { fieldMessages, hasOddCharacters, isBlank } from './field-rules.ts'
import { mailLimits, mailSentences, mailStates } from './mail.ts'
import { isMailAddress } from './mail-address.ts'
import type { FieldError } from './problem.ts'
import { textMessages } from './settings-text.ts'

/** A mail to one person: what the form and other programs send, and what they are answered. */

export const singleEmailSentences = {
  format: 'Please say by text or html how the message is written.',
  /** A key stands for one mail: the same again is a retry, another one a slip. */
  otherMail: 'This Idempotency-Key was used for another e-mail. Please use a new one for each e-mail.',
  waiting: (reason: string) =>
    `The e-mail is in the outbox and goes out as soon as it can be sent.${reason === '' ? '' : ` ${reason}`}`,
  unknown: (reason: string) =>
    `Nobody knows whether the e-mail was delivered.${reason === '' ? '' : ` ${reason}`} Please look at it in the outbox before you send it again.`,
  failed: (reason: string) =>
    reason === '' ? mailSentences.failedToSend : `${mailSentences.failedToSend}: ${reason}`,
} as const

/** A text that must be there. @param missing what an empty one is answered with */
function text(missing: string, problemOf: (value: string) => string | undefined) {
  return z.string({ error: missing }).check(
    z.check(({ value, issues }) => {
      const message = isBlank(value) ? missing : problemOf(value)
      if (message) issues.push({ code: 'custom', message, input: value })
    }),
  )
}

/** One line, without what nobody sees at its ends. */
function line(missing: string, problemOf: (value: string) => string | undefined) {
  return text(missing, (value) => problemOf(value.trim())).check(z.trim())
}

function subjectProblem(subject: string): string | undefined {
  const isOdd = hasOddCharacters(subject) || /[\r\n\t\u2028\u2029]/.test(subject)
  if (isOdd) return textMessages.characters('subject')
  return subject.length > mailLimits.subject ? textMessages.tooLong('subject', mailLimits.subject) : undefined
}

function messageProblem(message: string): string | undefined {
  if (hasOddCharacters(message)) return textMessages.characters('message')
  return message.length > mailLimits.body ? textMessages.tooLong('message', mailLimits.body) : undefined
}

function subjectAndMessage(missing: string) {
  return {
    subject: line(missing, subjectProblem),
    message: text(missing, messageProblem).check(z.overwrite((value) => value.replaceAll('\r\n', '\n'))),
  }
}

const format = z.optional(z.enum(['text', 'html'], { error: singleEmailSentences.format }))

function mailFields(missing: string) {
  return {
    to: line(missing, (value) => (isMailAddress(value) ? undefined : fieldMessages.email)),
    ...subjectAndMessage(missing),
  }
}

const missing = mailSentences.missingData
/** Whatever is there: what it must be is looked at when nothing is missing any more. */
const present = z.string({ error: missing }).check(z.refine((value) => !isBlank(value), { error: missing }))
const anything = z.optional(z.unknown())

/** What `POST /api/send-email` takes. Missing data is told before anything else (spec §5). */
export const singleEmailSchema = z.pipe(
  z.strictObject({ to: present, subject: present, message: present, format: anything }),
  z.object({ ...mailFields(missing), format }),
)
export type SingleEmail = z.output<typeof singleEmailSchema>

/** The same to oneself. */
export const testEmailSchema = z.pipe(
  z.strictObject({ subject: present, message: present, format: anything }),
  z.object({ ...subjectAndMessage(missing), format }),
)
export type TestEmail = z.output<typeof testEmailSchema>

export interface SingleEmailValues {
  to: string
  subject: string
  message: string
}

const formSchema = z.object(mailFields(mailSentences.fillAll))
const testFormSchema = z.object(subjectAndMessage(mailSentences.fillAll))

/** What the form says before it sends: to the recipient, or to oneself. */
export function problemsOfSingleEmail(values: SingleEmailValues, target: 'recipient' | 'self'): FieldError[] {
  const { error } = z.safeParse(target === 'self' ? testFormSchema : formSchema, values)
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/** The answer (spec §7), with the message's place in the outbox. */
export const sentEmailSchema = z.object({
  /** Whether the mail server accepted it. */
  success: z.boolean(),
  message: z.string(),
  id: z.string(),
  state: z.enum(mailStates),
})
export type SentEmail = z.output<typeof sentEmailSchema>
