import sanitizeHtml from 'sanitize-html'
import { createFormatting } from '#server/formatting.ts'
import type { BodyFormat } from '#server/mail/mail-content.ts'
import { fillPlaceholders, type PlaceholderTexts } from '#shared/mail-placeholders.ts'
import { styleOf } from './templates/content-look.ts'

/** Bodies that are kept ready: the messages of a batch share one. */
const keptBodies = 20

/** What a body may be made of. No pictures: whoever loads one from elsewhere tells that he reads. */
const allowedTags = [
  ...[
    'p',
    'div',
    'span',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'blockquote',
    'pre',
    'code',
    'ul',
    'ol',
    'li',
    'a',
  ],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]
/** These go with everything in them. */
const nonTextTags = ['script', 'style', 'textarea', 'option', 'title', 'noscript', 'template', 'svg', 'math']
/** Attributes that hold a number. */
const numbers = ['start', 'colspan', 'rowspan']
const linkPattern = /^(?:https?:\/\/|mailto:|tel:)/i
const maxNesting = 50

const door: sanitizeHtml.IOptions = {
  allowedTags,
  nonTextTags,
  allowedAttributes: {
    '*': ['style'],
    a: ['href', 'target', 'rel', 'class'],
    ol: ['start'],
    td: numbers,
    th: numbers,
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nestingLimit: maxNesting,
  // Ours alone stand in what comes out: `transformTags` drops what came.
  parseStyleAttributes: false,
  transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: attributesOf(tagName, attributes) }) },
}

/**
 * Makes the HTML of a message from the office's own text (the announcements' Markdown subset) or from the HTML of another
 * program: only plain elements come out, with the look of our mails.
 */
export function createMessageHtml() {
  const format = createFormatting({ ownOrigin: undefined })
  const ready = new Map<string, string>()

  function dressed(body: string, bodyFormat: BodyFormat): string {
    const key = `${bodyFormat}\n${body}`
    const known = ready.get(key)
    if (known !== undefined) return known
    const html = sanitizeHtml(bodyFormat === 'html' ? body : format(body).html, door).trim()
    const [oldest] = ready.keys()
    if (ready.size >= keptBodies && oldest !== undefined) ready.delete(oldest)
    ready.set(key, html)
    return html
  }

  return {
    /**
     * @param values what stands in for placeholders; none for a text that has none
     * @returns HTML that is safe to show as it is
     */
    htmlOf(body: string, bodyFormat: BodyFormat, values?: PlaceholderTexts): string {
      const html = dressed(body, bodyFormat)
      return values ? fillHtml(html, values) : html
    },
  }
}

/**
 * Fills HTML that has come through the door. Values can't change what it is made of: in texts they are escaped, and in
 * addresses, where braces stand encoded, they are encoded.
 */
function fillHtml(html: string, values: PlaceholderTexts): string {
  const inAddresses = html.replace(/%7B([A-Za-z]\w*)%7D/gi, (words, name: string) => {
    const text = `{${name}}`
    const value = fillPlaceholders(text, values, encodeURIComponent)
    return value === text ? words : value
  })
  return fillPlaceholders(inAddresses, values, escapeHtml)
}

/** A text as it stands in HTML. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark)
}

function attributesOf(tagName: string, came: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const style = styleOf(tagName)
  const attributes: sanitizeHtml.Attributes = style === '' ? {} : { style }
  for (const name of numbers) {
    const value = came[name]
    if (value !== undefined && /^\d{1,4}$/.test(value)) attributes[name] = value
  }
  const href = came.href?.trim() ?? ''
  if (tagName === 'a' && linkPattern.test(href)) {
    Object.assign(attributes, {
      href: href.replaceAll('{', '%7B').replaceAll('}', '%7D'),
      target: '_blank',
      rel: 'noopener nofollow',
      class: 'm-link',
    })
  }
  return attributes
}
