import { unknownPlaceholders } from '#shared/mail-placeholders.ts'
import type { MailPreviewRequest } from '#shared/mail-preview.ts'
import type { Sample } from './addressees.ts'
import { type BulkValues, ownText } from './bulk-values.ts'
import { placeholderValuesOf } from './placeholder-values.ts'

type Written = Pick<BulkValues, 'subject' | 'template' | 'body'>

/** What the server makes a preview of. @param recipient whose values stand in for the placeholders; undefined for nobody's */
export function previewRequest(
  { subject, template, body }: Written,
  recipient: Sample | undefined,
): MailPreviewRequest {
  const isOwn = template === ownText
  return {
    subject,
    message: isOwn ? body : '',
    // As text, which is how a bulk e-mail of the screen is sent.
    ...(isOwn ? { format: 'text' } : { template }),
    values: placeholderValuesOf(recipient),
  }
}

/** What has to be done before a preview can be shown; null when it can. */
export function missingForPreview({ subject, template, body }: Written): string | null {
  const own = template === ownText ? body : null
  if (subject.trim() === '' || own?.trim() === '') {
    return 'Write a subject and a message to see here what a recipient will read.'
  }
  return unknownPlaceholders(`${subject}\n${own ?? ''}`).length > 0
    ? 'Mend the marked placeholder to see here what a recipient will read.'
    : null
}
