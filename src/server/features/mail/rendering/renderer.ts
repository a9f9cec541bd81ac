import { convert } from 'html-to-text'
import { LRUCache } from 'lru-cache'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import sanitizeHtml from 'sanitize-html'
import type { FilesService } from '#server/features/files/service.ts'
import type { BodyFormat } from '#server/features/mail/mailer.ts'
import { createFormatting } from '#server/lib/formatting.ts'
import type { KeptKeys } from '#server/lib/kept-keys.ts'
import { createSealing } from '#server/lib/sealed-secret.ts'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { announcementPath } from '#shared/announcements/announcements.ts'
import { isEmail } from '#shared/field-rules.ts'
import type { MailKind } from '#shared/mail/mail.ts'
import { fillPlaceholders, onOneLine, type PlaceholderTexts } from '#shared/mail/mail-placeholders.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { MailFrame, styleOf, textFrame, withPreheader } from './mail-parts.tsx'
import type { BatchText, MailBody, MailSchool, RenderableMessage, RenderMail } from './render.ts'
import {
  addressChangedMail,
  announcementMail,
  codeMail,
  decisionMail,
  findStoredTemplate,
  type LostCode,
  lostCodeMail,
  storedMail,
  testMail,
  welcomeMail,
} from './templates.ts'

const logoCid = 'logo'

const bulkKinds: readonly MailKind[] = ['bulk', 'announcement']

interface RendererOptions {
  settings: () => Pick<Settings, 'systemName' | 'schoolName' | 'contact' | 'logo'>
  publicAddress: () => string
  readLogo: (url: string) => Promise<MailLogo | null>
  tokens: Pick<UnsubscribeTokens, 'tokenOf'>
  /** What a mail to a student at /my is about is read when it is sent, and hidden from whoever previews it. */
  digitsOf: (codeId: string) => string
  referencesOf: (studentIds: readonly string[]) => Promise<readonly LostCode[]>
}

interface Secrets {
  digits: string
  lostCodes: readonly LostCode[]
}

export type MailRenderer = ReturnType<typeof createMailRenderer>

export function createMailRenderer(options: RendererOptions) {
  const { settings, publicAddress, readLogo, tokens, digitsOf, referencesOf } = options
  const bodies = createMessageHtml()

  async function currentLogo(): Promise<MailLogo | null> {
    const { logo } = settings()
    return logo === null ? null : await readLogo(logo.url)
  }

  function bodyOfBatch(
    { template, body, bodyFormat, announcementId }: BatchText,
    values: PlaceholderTexts,
    subject: string,
  ): MailBody {
    if (template === 'announcement') {
      const html = bodies.htmlOf(body, bodyFormat)
      const origin = publicAddress()
      const link = origin && announcementId ? origin + announcementPath(announcementId) : null
      return announcementMail(subject, html, textOf(body, bodyFormat, html), link)
    }
    const stored = findStoredTemplate(template)
    if (stored) return storedMail(stored, values, bodies.htmlOf(stored.text, 'text', values))
    const html = bodies.htmlOf(body, bodyFormat, values)
    return withPreheader(html, textOf(body, bodyFormat, html, values))
  }

  async function secretsOf({ content }: RenderableMessage): Promise<Secrets> {
    const digits = content.template === 'code' ? digitsOf(content.codeId) : ''
    const lostCodes = content.template === 'lost-code' ? await referencesOf(content.studentIds) : []
    return { digits, lostCodes }
  }

  function bodyOf(
    { content, batch, subject }: RenderableMessage,
    school: MailSchool,
    { digits, lostCodes }: Secrets,
  ): MailBody {
    switch (content.template) {
      case 'welcome':
        return welcomeMail(content.values, school, publicAddress())
      case 'decision':
        return decisionMail(content.values, publicAddress(), content.language)
      case 'address-changed':
        return addressChangedMail(school, content.language)
      case 'code':
        return codeMail(digits, school, publicAddress(), content.language)
      case 'lost-code': {
        if (lostCodes.length === 0) throw new Error('The records of this message were deleted.')
        return lostCodeMail(lostCodes, school, content.language)
      }
      case 'test':
        return testMail(school)
      case 'message': {
        const html = bodies.htmlOf(content.body, content.format)
        return withPreheader(html, textOf(content.body, content.format, html))
      }
      case 'sample': {
        const { name, body, format, filledWith } = content
        const sample = { template: name, body, bodyFormat: format, announcementId: null }
        return bodyOfBatch(sample, filledWith, subject)
      }
      case 'batch':
        if (batch === null) throw new Error('A message of a batch can’t be rendered without the batch.')
        return bodyOfBatch(batch, content.values, subject)
    }
  }

  function renderFrame(
    message: RenderableMessage,
    secrets: Secrets,
    logo: ReturnType<typeof logoImage> | null,
    {
      unsubscribe = null,
      hasDarkRules = false,
    }: { unsubscribe?: string | null; hasDarkRules?: boolean } = {},
  ) {
    const school = settings()
    const subject = onOneLine(message.subject)
    const body = bodyOf(message, school, secrets)
    const frame = createElement(MailFrame, { subject, body, school, logo, unsubscribe, hasDarkRules })
    return {
      subject,
      html: `<!doctype html>${renderToStaticMarkup(frame)}`,
      text: textFrame({ body, school, unsubscribe }),
    }
  }

  const render: RenderMail = async (message, senderAddress) => {
    const logo = await currentLogo()
    const isBulk = bulkKinds.includes(message.kind) || message.content.template === 'sample'
    const origin = publicAddress()
    const page = origin && isBulk ? `${origin}/unsubscribe?token=${tokens.tokenOf(message.recipient)}` : null
    return {
      ...renderFrame(message, await secretsOf(message), logo && logoImage(logo, `cid:${logoCid}`), {
        unsubscribe: page,
        hasDarkRules: true,
      }),
      headers: isBulk ? unsubscribeHeaders(page, senderAddress) : {},
      attachments: logo
        ? [{ cid: logoCid, filename: 'logo.png', contentType: 'image/png', content: logo.png }]
        : [],
    }
  }

  return {
    render,

    // For `<iframe sandbox="" srcdoc>`. The page's CSP applies: the logo is inlined and style elements are left out.
    async preview(message: RenderableMessage) {
      const logo = await currentLogo()
      const image = logo && logoImage(logo, `data:image/png;base64,${logo.png.toString('base64')}`)
      return renderFrame(message, hiddenSecrets, image)
    },
  }
}

const hiddenSecrets: Secrets = {
  digits: '••••••',
  lostCodes: [{ reference: 'NSTP-••••-••••', academicYear: '' }],
}

function logoImage({ width, height }: MailLogo, src: string) {
  return { src, width, height }
}

// RFC 2369, RFC 8058. One-click needs a web address.
function unsubscribeHeaders(page: string | null, senderAddress: string): Record<string, string> {
  const byMail = `<mailto:${encodeURI(senderAddress)}?subject=unsubscribe>`
  if (page === null) return { 'List-Unsubscribe': byMail }
  const isOneClick = page.startsWith('https://')
  return {
    'List-Unsubscribe': `<${page}>, ${byMail}`,
    ...(isOneClick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  }
}

const markdownLink = /\[([^\][\n]{1,500})\]\((?:mailto:)?([^\s()]{1,2000})\)/g

const markdownHeading = /^#{1,6} +/gm

export function textOf(body: string, bodyFormat: BodyFormat, html: string, values?: PlaceholderTexts) {
  if (bodyFormat === 'html') return plainTextOf(html)
  const text = body
    .replace(markdownHeading, '')
    .replace(markdownLink, (_link, words: string, address: string) =>
      words === address ? words : `${words} <${address}>`,
    )
  return values ? fillPlaceholders(text, values) : text
}

function plainTextOf(html: string): string {
  return convert(html, {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      ...['h1', 'h2', 'h3', 'h4'].map((selector) => ({ selector, options: { uppercase: false } })),
      { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
    ],
  })
}

// The messages of a batch share one body.
const maxCachedBodies = 20

// Security: no pictures, which would track the reader.
const allowedTags =
  'p div span br hr h1 h2 h3 h4 blockquote pre code ul ol li a strong b em i u s sub sup table thead tbody tfoot tr th td'
const nonTextTags = ['script', 'style', 'textarea', 'option', 'title', 'noscript', 'template', 'svg', 'math']
const numbers = ['start', 'colspan', 'rowspan']
const linkPattern = /^(?:https?:\/\/|mailto:|tel:)/i
const maxNesting = 50

const sanitizerOptions: sanitizeHtml.IOptions = {
  allowedTags: allowedTags.split(' '),
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
  // Only our own styles remain: `transformTags` drops the given ones.
  parseStyleAttributes: false,
  transformTags: { '*': (tagName, attributes) => ({ tagName, attribs: attributesOf(tagName, attributes) }) },
}

export function createMessageHtml() {
  const format = createFormatting({ ownOrigin: undefined })
  const cache = new LRUCache<string, string>({ max: maxCachedBodies })

  function sanitized(body: string, bodyFormat: BodyFormat): string {
    const key = `${bodyFormat}\n${body}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const html = sanitizeHtml(bodyFormat === 'html' ? body : format(body).html, sanitizerOptions).trim()
    cache.set(key, html)
    return html
  }

  return {
    /** @returns sanitised HTML */
    htmlOf(body: string, bodyFormat: BodyFormat, values?: PlaceholderTexts): string {
      const html = sanitized(body, bodyFormat)
      return values ? fillHtml(html, values) : html
    },
  }
}

// Security: values are escaped in text and encoded in addresses.
function fillHtml(html: string, values: PlaceholderTexts): string {
  const inAddresses = html.replace(/%7B([A-Za-z]\w*)%7D/gi, (words, name: string) => {
    const text = `{${name}}`
    const value = fillPlaceholders(text, values, encodeURIComponent)
    return value === text ? words : value
  })
  return fillPlaceholders(inAddresses, values, xmlEscape)
}

function attributesOf(tagName: string, given: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const style = styleOf(tagName)
  const attributes: sanitizeHtml.Attributes = style === '' ? {} : { style }
  for (const name of numbers) {
    const value = given[name]
    if (value !== undefined && /^\d{1,4}$/.test(value)) attributes[name] = value
  }
  const href = given.href?.trim() ?? ''
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

// px: twice the displayed height, for sharp screens.
const heightPx = 80
const maxSize = { width: 120, height: 40 }

interface MailLogo {
  png: Buffer
  // Mail programs distort a picture with only one side given.
  width: number
  height: number
}

export function createMailLogo({ readAsPng }: Pick<FilesService, 'readAsPng'>) {
  let cached: { url: string; logo: MailLogo } | undefined
  return async function readLogo(url: string): Promise<MailLogo | null> {
    if (cached?.url === url) return cached.logo
    const png = await readAsPng(url, heightPx)
    if (!png) return null
    const logo = { png, ...fitSize(png) }
    cached = { url, logo }
    return logo
  }
}

function fitSize(png: Buffer): Pick<MailLogo, 'width' | 'height'> {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const scale = Math.min(maxSize.width / width, maxSize.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

const maxToken = 600

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>

/** Security: the address is sealed, so that a user can unsubscribe only themselves. */
export function createUnsubscribeTokens({ unsubscribeLinks }: Pick<KeptKeys, 'unsubscribeLinks'>) {
  const secrets = createSealing(unsubscribeLinks)
  return {
    tokenOf: (address: string): string => secrets.seal(address.toLowerCase()).toString('base64url'),

    addressOf(token: string): string | null {
      if (token.length > maxToken || !/^[\w-]+$/.test(token)) return null
      const address = secrets.open(Buffer.from(token, 'base64url'))
      return address !== null && isEmail(address) ? address : null
    },
  }
}
