import { fillPlaceholders, fillSubject } from '#shared/mail-placeholders.ts'
import type { MailTemplateInfo } from '#shared/mail-preview.ts'
import type { TestEmail } from '#shared/single-email.ts'
import type { Sample } from './addressees.ts'
import { type BulkValues, ownText } from './bulk-values.ts'

/** What the form holds as a mail to oneself. @param recipient whose values it is filled with; undefined for nobody's */
export function testMailOf(
  { subject, body, template }: Pick<BulkValues, 'subject' | 'body' | 'template'>,
  templates: readonly MailTemplateInfo[],
  recipient: Sample | undefined,
): TestEmail {
  const text = template === ownText ? body : (templates.find(({ name }) => name === template)?.text ?? '')
  const values = recipient ?? {}
  return {
    subject: fillSubject(subject, values),
    message: fillPlaceholders(text, values),
    // As the bulk e-mail will be: a text that has tags in it is guessed to be HTML otherwise.
    format: 'text',
  }
}
