import { AppError } from '#server/errors.ts'
import type { MailContent } from '#server/mail/mail-content.ts'
import { formatOf } from '#server/mail/rendering/body-format.ts'
import type { BatchText } from '#server/mail/rendering/render.ts'
import type { MailRenderer } from '#server/mail/rendering/renderer.ts'
import { findStoredTemplate, storedTemplates } from '#server/mail/rendering/templates/stored-templates.ts'
import { fillSubject, placeholderProblem } from '#shared/mail-placeholders.ts'
import type { MailPreview, MailPreviewRequest, MailTemplateInfo } from '#shared/mail-preview.ts'

export type MailPreviewService = ReturnType<typeof createMailPreviewService>

/** Shows messages before they are sent. */
export function createMailPreviewService({ renderer }: { renderer: Pick<MailRenderer, 'preview'> }) {
  return {
    templates: (): MailTemplateInfo[] =>
      storedTemplates.map(({ name, title, subject, text }) => ({ name, title, subject, text })),

    /**
     * A message as a recipient would get it: with values as one of many, without them as one of its own.
     *
     * @throws AppError `invalid` for an unknown placeholder or template
     */
    async preview({ subject, message, format, template, values }: MailPreviewRequest): Promise<MailPreview> {
      if (template !== undefined && !findStoredTemplate(template)) {
        throw invalid('template', 'There is no template of this name.')
      }
      const bodyFormat = format ?? formatOf(message)
      if (template === undefined && values === undefined) {
        const content: MailContent = { template: 'message', body: message, format: bodyFormat }
        return await renderer.preview({ kind: 'single', recipient: '', subject, content, batch: null })
      }
      checkPlaceholders('subject', subject)
      if (template === undefined) checkPlaceholders('message', message)
      const known = values ?? {}
      const batch: BatchText = {
        kind: 'bulk',
        template: template ?? 'custom',
        body: message,
        bodyFormat,
        announcementId: null,
      }
      return await renderer.preview({
        kind: 'bulk',
        recipient: '',
        subject: fillSubject(subject, known),
        content: { template: 'batch', values: { ...known, firstName: known.firstName ?? '' } },
        batch,
      })
    },
  }
}

function checkPlaceholders(path: string, text: string): void {
  const problem = placeholderProblem(text)
  if (problem) throw invalid(path, problem)
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid', { detail: message, errors: [{ path, message }] })
}
