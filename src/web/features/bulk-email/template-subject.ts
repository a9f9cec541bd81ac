import type { MailTemplateInfo } from '#shared/mail-preview.ts'

/**
 * The subject after another text was chosen: that of the text, unless somebody typed one.
 *
 * @param chosen the text's name
 */
export function subjectAfter(
  chosen: string,
  subject: string,
  templates: readonly MailTemplateInfo[],
): string {
  const isTyped = subject.trim() !== '' && !templates.some((template) => template.subject === subject)
  return isTyped ? subject : (templates.find(({ name }) => name === chosen)?.subject ?? subject)
}
