import { convert } from 'html-to-text'
import type { BodyFormat } from '#server/mail/mail-content.ts'
import { fillPlaceholders, type PlaceholderTexts } from '#shared/mail-placeholders.ts'

/** `[words](address)`, which only HTML readers should have to follow. */
const markdownLink = /\[([^\][\n]{1,500})\]\((?:mailto:)?([^\s()]{1,2000})\)/g

/** What makes a line a heading to HTML readers. */
const markdownHeading = /^#{1,6} +/gm

/**
 * What plain-text readers get: the office's own text as it was written, its links written out; of another program's HTML its
 * words.
 *
 * @param html the same message, as it came through the door
 */
export function textOf(
  body: string,
  bodyFormat: BodyFormat,
  html: string,
  values?: PlaceholderTexts,
): string {
  if (bodyFormat === 'html') return wordsOf(html)
  const text = body
    .replace(markdownHeading, '')
    .replace(markdownLink, (_link, words: string, address: string) =>
      words === address ? words : `${words} <${address}>`,
    )
  return values ? fillPlaceholders(text, values) : text
}

function wordsOf(html: string): string {
  return convert(html, {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  })
}
