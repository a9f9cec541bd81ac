import * as z from 'zod/mini'
import { fieldMessages, isBlank } from './field-rules.ts'
import { formText } from './form-text.ts'
import { mailLimits, mailSentences, mailStates } from './mail.ts'
import { isMailAddress } from './mail-address.ts'
import type { FieldError } from './problem.ts'

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

function subjectAndMessage(required: string) {
  return {
    subject: formText('subject', { max: mailLimits.subject, required }),
    message: formText('message', { max: mailLimits.body, required, multiline: true }),
  }
}

const format = z.optional(z.enum(['text', 'html'], { error: singleEmailSentences.format }))

/** An address of any length is an address or none: to shorten it would not help. */
const to = (required: string) =>
  z.string({ error: required }).check(
    z.trim(),
    z.refine((value) => isMailAddress(value), {
      error: ({ input }) => (isBlank(String(input)) ? required : fieldMessages.email),
    }),
  )

function mailFields(required: string) {
  return { to: to(required), ...subjectAndMessage(required) }
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
