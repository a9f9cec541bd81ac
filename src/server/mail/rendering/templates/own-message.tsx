import type { MailBody } from '#server/mail/rendering/mail-body.ts'
import { SafeHtml } from './mail-parts.tsx'

/** A message as somebody wrote it. */
export function ownMessage({ html, text }: { html: string; text: string }): MailBody {
  return { preheader: preheaderOf(text), html: <SafeHtml html={html} />, text }
}

/** The beginning of a text, cut at a word. */
export function preheaderOf(text: string): string {
  const words = text.replace(/\s+/g, ' ').trim()
  return words.length <= 110 ? words : `${words.slice(0, 110).replace(/ \S*$/, '')} …`
}
