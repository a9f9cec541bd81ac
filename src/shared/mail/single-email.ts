import * as z from 'zod/mini'
import { fieldMessages, hasOddCharacters, isBlank } from '#shared/field-rules.ts'
import { formText } from '#shared/form-text.ts'
import { isComponent } from '#shared/students/student-choices.ts'
import { type MailState, mailLimits, mailSentences, mailStates } from './mail.ts'
import { isMailAddress, trimAddress } from './mail-address.ts'
import { batchMessages } from './mail-batch.ts'

export const singleEmailSentences = {
  format: 'Please choose the format of the message: text or html.',
  otherMail: 'This Idempotency-Key was used for another e-mail. Please use a new one for each e-mail.',
  waiting: (reason: string) =>
    `The e-mail is in the outbox and will be sent as soon as possible.${reason === '' ? '' : ` ${reason}`}`,
  unknown: (reason: string) =>
    `The e-mail may or may not have been delivered.${reason === '' ? '' : ` ${reason}`} Please check it in the outbox before you send it again.`,
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

const mailFields = (required: string) => ({
  to: z.string({ error: required }).check(
    z.trim(),
    z.refine((value) => isMailAddress(value), {
      error: ({ input }) => (isBlank(String(input)) ? required : fieldMessages.email),
    }),
  ),
  ...subjectAndMessage(required),
})

const missing = mailSentences.missingData
const present = z.string({ error: missing }).check(z.refine((value) => !isBlank(value), { error: missing }))
const anything = z.optional(z.unknown())

// Missing data is reported first (product 17.3).
export const singleEmailSchema = z.pipe(
  z.strictObject({ to: present, subject: present, message: present, format: anything }),
  z.object({ ...mailFields(missing), format }),
)
export type SingleEmail = z.output<typeof singleEmailSchema>

export const testEmailSchema = z.pipe(
  z.strictObject({ subject: present, message: present, format: anything }),
  z.object({ ...subjectAndMessage(missing), format }),
)
export type TestEmail = z.output<typeof testEmailSchema>

export const singleFormSchemas = {
  recipient: z.object(mailFields(mailSentences.fillAll)),
  self: z.object(subjectAndMessage(mailSentences.fillAll)),
}

export const sentEmailSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  id: z.string(),
  state: z.enum(mailStates),
})
export type SentEmail = z.output<typeof sentEmailSchema>

export const welcomeSentences = {
  limited:
    'Several confirmations were already sent to this e-mail address today, so no further one was sent. Please write down the reference code.',
  badAddress: 'No confirmation can be sent to this e-mail address. Please write down the reference code.',
  waiting: 'The confirmation e-mail has not been sent yet. It will be sent as soon as possible.',
  failed: 'The mail server did not accept the confirmation e-mail. Please write down the reference code.',
  unknown: 'The confirmation e-mail may not have arrived. Please write down the reference code.',
} as const

export const welcomeRefusals = {
  limited: `This address has already been sent ${mailLimits.welcomeADay} welcome e-mails within a day. Please try again tomorrow.`,
  badAddress: 'Please enter a valid email address.',
} as const

export function welcomeProblem(state: MailState): string | null {
  if (state === 'sent') return null
  if (state === 'queued' || state === 'sending') return welcomeSentences.waiting
  return state === 'unknown' ? welcomeSentences.unknown : welcomeSentences.failed
}

const welcomeMailMissing = mailSentences.missingStudentData
const filled = z.refine((value) => !isBlank(String(value)), { error: welcomeMailMissing, abort: true })
const oddName = 'Please use only letters, digits and punctuation in names.'

const name = z.string({ error: welcomeMailMissing }).check(
  z.trim(),
  filled,
  z.maxLength(mailLimits.name, `A name may have at most ${mailLimits.name} characters.`),
  z.refine((value) => !hasOddCharacters(value) && !/[\r\n\t\u2028\u2029\u0085]/.test(value), {
    error: oddName,
  }),
)

export const welcomeRequestSchema = z.object({
  email: z
    .string({ error: welcomeMailMissing })
    .check(filled, z.overwrite(trimAddress), z.refine(isMailAddress, { error: welcomeRefusals.badAddress })),
  firstName: name,
  lastName: name,
  nstpComponent: z
    .string({ error: welcomeMailMissing })
    .check(z.trim(), filled, z.refine(isComponent, { error: batchMessages.component })),
})
