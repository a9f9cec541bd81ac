import * as z from 'zod/mini'
import { mailLimits, mailSentences } from './mail.ts'
import { placeholderNames } from './mail-placeholders.ts'

/** A template that can be sent by its name, or be the beginning of one's own text. */
export interface MailTemplateInfo {
  name: string
  title: string
  subject: string
  text: string
}

const tooLong = (what: string, limit: number) => `The ${what} may have at most ${limit} characters.`

const value = z.optional(
  z.string('The values of placeholders must be texts.').check(z.maxLength(300, tooLong('value', 300))),
)

/** What stands in for the placeholders of one recipient. */
export const placeholderValuesSchema = z.strictObject(
  // Its members are the names of placeholders.
  Object.fromEntries(placeholderNames.map((name) => [name, value])) as Record<
    (typeof placeholderNames)[number],
    typeof value
  >,
)

/** What is shown before it is sent. */
export const mailPreviewSchema = z.strictObject({
  subject: z
    .string(mailSentences.subjectRequired)
    .check(z.maxLength(mailLimits.subject, tooLong('subject', mailLimits.subject))),
  message: z
    .string(mailSentences.fillAll)
    .check(z.maxLength(mailLimits.body, tooLong('message', mailLimits.body))),
  /** How the message is written; guessed by its tags where it isn't said. */
  format: z.optional(
    z.enum(['text', 'html'], { error: 'Please say by text or html how the message is written.' }),
  ),
  /** A stored template in place of the message. */
  template: z.optional(z.string()),
  /** Of one recipient; without them the text has no placeholders. */
  values: z.optional(placeholderValuesSchema),
})

export type MailPreviewRequest = z.output<typeof mailPreviewSchema>

/** A message as its recipient would get it. */
export interface MailPreview {
  subject: string
  /** A whole page, for a frame that lets nothing run: `<iframe sandbox="" srcDoc={html}>`. */
  html: string
  text: string
}
