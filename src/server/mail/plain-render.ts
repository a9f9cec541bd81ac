import type { MailContent, PlaceholderValues } from './mail-content.ts'
import type { BatchText, RenderMail } from './render.ts'

/** The content as plain text, without a template around it. */
export const renderPlain: RenderMail = async ({ subject, content, batch }) => {
  const text = textOf(content, batch)
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { subject, text, html: `<p style="white-space: pre-wrap">${html}</p>`, headers: {}, attachments: [] }
}

function textOf(content: MailContent, batch: BatchText | null): string {
  switch (content.template) {
    case 'message':
      return content.body
    case 'batch':
      return fillIn(batch?.body ?? '', content.values)
    case 'welcome':
      return `Hello ${content.values.firstName}. You are enlisted in ${content.values.nstpComponent}.`
    case 'test':
      return 'This is a test.'
  }
}

function fillIn(text: string, values: PlaceholderValues): string {
  const known = new Map<string, string>(Object.entries(values))
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => known.get(name) ?? '')
}
