import type { Selectable } from 'kysely'
import type { ReactNode } from 'react'
import type { MailBatchesTable, MailMessagesTable } from '#server/database/schema.ts'
import type { BodyFormat } from '#server/features/mail/mailer.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { Language } from '#shared/site/language.ts'

export type BatchText = Pick<
  Selectable<MailBatchesTable>,
  'template' | 'body' | 'bodyFormat' | 'announcementId'
>

export type RenderableMessage = Pick<
  Selectable<MailMessagesTable>,
  'kind' | 'recipient' | 'subject' | 'content'
> & { batch: BatchText | null }

export interface RenderedMail {
  subject: string
  html: string
  text: string
  headers: Record<string, string>
  attachments: { cid: string; filename: string; contentType: string; content: Buffer }[]
}

/** @param senderAddress for unsubscribing by mail */
export type RenderMail = (message: RenderableMessage, senderAddress: string) => Promise<RenderedMail>

export type MailSchool = Pick<Settings, 'systemName' | 'schoolName' | 'contact'>

export interface MailBody {
  language?: Language
  preheader: string
  html: ReactNode
  text: string
}

export function nameOf({ schoolName, systemName }: Pick<MailSchool, 'schoolName' | 'systemName'>): string {
  return schoolName || systemName
}

const tag =
  /<\/?(?:p|div|span|br|hr|h[1-6]|ul|ol|li|a|strong|b|em|i|u|table|tr|td|html|body)(?:\s[^<>]*)?\/?>/i

export function formatOf(message: string): BodyFormat {
  return tag.test(message) ? 'html' : 'text'
}

const maxColumns = 76

export function wrapText(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd()))
    .join('\n')
}

function wrapLine(line: string): string[] {
  if (line.length <= maxColumns) return [line]
  const mark = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?/.exec(line)?.[0] ?? ''
  const indent = ' '.repeat(Math.min(mark.length, 8))
  const lines: string[] = []
  let current = mark
  for (const word of line.slice(mark.length).split(/ +/)) {
    const isStart = current === mark || current === indent
    const next = isStart ? current + word : `${current} ${word}`
    if (next.length > maxColumns && !isStart) {
      lines.push(current)
      current = indent + word
    } else {
      current = next
    }
  }
  return [...lines, current]
}

export function textHeading(words: string): string {
  return `${words}\n${'='.repeat(Math.min(words.length, maxColumns))}`
}
