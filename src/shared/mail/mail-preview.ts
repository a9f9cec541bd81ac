import * as z from 'zod/mini'
import { textMessages } from '#shared/form-text.ts'
import { mailLimits, mailSentences } from './mail.ts'
import { placeholderNames } from './mail-placeholders.ts'

const value = z.optional(
  z
    .string('The values of placeholders must be texts.')
    .check(z.maxLength(300, textMessages.tooLong('value', 300))),
)

export const placeholderValuesSchema = z.strictObject(
  // Its members are the names of placeholders.
  Object.fromEntries(placeholderNames.map((name) => [name, value])) as Record<
    (typeof placeholderNames)[number],
    typeof value
  >,
)

export const mailPreviewSchema = z.strictObject({
  subject: z
    .string(mailSentences.subjectRequired)
    .check(z.maxLength(mailLimits.subject, textMessages.tooLong('subject', mailLimits.subject))),
  message: z
    .string(mailSentences.fillAll)
    .check(z.maxLength(mailLimits.body, textMessages.tooLong('message', mailLimits.body))),
  format: z.optional(
    z.enum(['text', 'html'], { error: 'Please choose the format of the message: text or html.' }),
  ),
  template: z.optional(z.string()),
  values: z.optional(placeholderValuesSchema),
})

export type MailPreviewRequest = z.output<typeof mailPreviewSchema>
