import * as z from 'zod/mini'
import { hasOddCharacters, isBlank } from './field-rules.ts'
import { type MailState, mailLimits, mailSentences } from './mail.ts'
import { isMailAddress, trimAddress } from './mail-address.ts'
import { batchMessages } from './mail-batch.ts'
import { isComponent } from './student-choices.ts'

/** Why a student got no confirmation, in words for the student. */
export const welcomeSentences = {
  limited:
    'This e-mail address has had several confirmations today, so none was sent. Please write down the reference code.',
  badAddress: 'No confirmation can be sent to this e-mail address. Please write down the reference code.',
  waiting: 'The confirmation e-mail has not gone out yet. It is sent as soon as the mail server takes it.',
  failed: 'The mail server did not take the confirmation e-mail. Please write down the reference code.',
  unknown: 'Nobody knows whether the confirmation e-mail arrived. Please write down the reference code.',
} as const

/** Why other programs and the coordinator could send none. */
export const welcomeRefusals = {
  limited: `This address has had ${mailLimits.welcomeADay} welcome e-mails within a day. Please try again tomorrow.`,
  badAddress: 'Please enter a valid email address.',
} as const

/** A message's state as the student is told it; null when it was accepted. */
export function welcomeProblem(state: MailState): string | null {
  if (state === 'sent') return null
  if (state === 'queued' || state === 'sending') return welcomeSentences.waiting
  return state === 'unknown' ? welcomeSentences.unknown : welcomeSentences.failed
}

const missing = mailSentences.missingStudentData
const oddName = 'Please use only letters, digits and punctuation in names.'

/** A name on one line. */
const name = z.string({ error: missing }).check(
  z.trim(),
  z.refine((value) => !isBlank(value), { error: missing, abort: true }),
  z.maxLength(mailLimits.name, `A name may have at most ${mailLimits.name} characters.`),
  z.refine((value) => !hasOddCharacters(value) && !/[\r\n\t\u2028\u2029\u0085]/.test(value), {
    error: oddName,
  }),
)

/** What `POST /emailService/send-welcome-email` takes (spec §5). */
export const welcomeRequestSchema = z.object({
  email: z.string({ error: missing }).check(
    z.refine((value) => !isBlank(value), { error: missing, abort: true }),
    z.overwrite(trimAddress),
    z.refine(isMailAddress, { error: welcomeRefusals.badAddress }),
  ),
  firstName: name,
  lastName: name,
  nstpComponent: z.string({ error: missing }).check(
    z.trim(),
    z.refine((value) => !isBlank(value), { error: missing, abort: true }),
    z.refine(isComponent, { error: batchMessages.component }),
  ),
})
