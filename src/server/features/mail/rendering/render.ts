import type { ReactNode } from 'react'
import type { BodyFormat, MailContent } from '#server/features/mail/mailer.ts'
import type { BatchKind, MailKind } from '#shared/mail/mail.ts'
import type { OfficeContact } from '#shared/settings/site-texts.ts'

/** What a message of a batch has from it. */
export interface BatchText {
  kind: BatchKind
  /** A stored template's name, 'announcement', or 'custom': then `body` is the text. */
  template: string
  body: string
  bodyFormat: BodyFormat
  announcementId: string | null
}

/** A message of the ledger as it is about to be sent. */
export interface RenderableMessage {
  kind: MailKind
  recipient: string
  /** As the recipient reads it. */
  subject: string
  content: MailContent
  /** Null for a message of its own. */
  batch: BatchText | null
}

/** A picture that stands in the HTML as `cid:{cid}`. */
export interface InlinePicture {
  cid: string
  filename: string
  contentType: 'image/png'
  content: Buffer
}

/** A message as it goes to the mail server. */
export interface RenderedMail {
  subject: string
  html: string
  text: string
  /** Beside what every message has. Their values hold no line breaks. */
  headers: Record<string, string>
  attachments: InlinePicture[]
}

/**
 * Makes a message ready to be sent.
 *
 * @param senderAddress where somebody without a browser writes to have no more announcements
 */
export type RenderMail = (message: RenderableMessage, senderAddress: string) => Promise<RenderedMail>

/** Who writes: every template signs with it. */
export interface MailSchool {
  systemName: string
  /** '' while nobody has told it. */
  schoolName: string
  contact: OfficeContact
  /** Where the site is found, without a path; undefined when it isn't configured. */
  origin: string | undefined
}

/** What a template makes of a message; the frame around it is the same for all. */
export interface MailBody {
  /** What mailboxes show beside the subject. */
  preheader: string
  html: ReactNode
  /** Lines may be of any length; the frame wraps them. */
  text: string
}

/** Who writes, in a few words. */
export function nameOf({ schoolName, systemName }: Pick<MailSchool, 'schoolName' | 'systemName'>): string {
  return schoolName || systemName
}

/** A tag that programs wrap messages in, or its end. What only looks like one, such as '<3', is text. */
const tag =
  /<\/?(?:p|div|span|br|hr|h[1-6]|ul|ol|li|a|strong|b|em|i|u|table|tr|td|html|body)(?:\s[^<>]*)?\/?>/i

/** HTML when a message has tags, else the office's own text. */
export function formatOf(message: string): BodyFormat {
  return tag.test(message) ? 'html' : 'text'
}

/** Where plain-text readers expect lines to end. */
const maxColumns = 76

/**
 * Breaks long lines at spaces. A line that goes on under a list mark or a quotation is indented as its text is;
 * a word that is longer than a line, such as an address of the web, stays whole.
 */
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

/** A heading, underlined. */
export function textHeading(words: string): string {
  return `${words}\n${'='.repeat(Math.min(words.length, maxColumns))}`
}
