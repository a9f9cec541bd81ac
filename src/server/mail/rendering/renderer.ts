import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { announcementPath } from '#shared/announcement-paths.ts'
import type { MailKind } from '#shared/mail.ts'
import { onOneLine, type PlaceholderTexts } from '#shared/mail-placeholders.ts'
import type { Settings } from '#shared/settings.ts'
import type { MailLogo } from './logo.ts'
import type { MailBody, MailSchool } from './mail-body.ts'
import { createMessageHtml } from './message-html.ts'
import { textOf } from './message-text.ts'
import type { BatchText, RenderableMessage, RenderedMail, RenderMail } from './render.ts'
import { announcementMail } from './templates/announcement.tsx'
import { MailFrame, type ShownLogo, textFrame } from './templates/mail-frame.tsx'
import { ownMessage } from './templates/own-message.tsx'
import { storedMail } from './templates/stored-template.tsx'
import { findStoredTemplate } from './templates/stored-templates.ts'
import { testMail } from './templates/test-message.tsx'
import { welcomeMail } from './templates/welcome.tsx'
import type { UnsubscribeTokens } from './unsubscribe-tokens.ts'

/** How the logo is called within a message. */
const logoCid = 'logo'

/** Of what goes to many, and is not about what the recipient just did. */
const kindsForMany: readonly MailKind[] = ['bulk', 'announcement']

interface RendererOptions {
  settings: () => Pick<Settings, 'systemName' | 'schoolName' | 'contact' | 'logo'>
  /** Where the site is found; undefined when it isn't configured. */
  publicUrl: string | undefined
  /** The logo's picture, small and as PNG; null when it is gone. */
  readLogo: (url: string) => Promise<MailLogo | null>
  tokens: Pick<UnsubscribeTokens, 'tokenOf'>
}

/** What a screen shows before anything is sent. */
export type PreviewedMail = Pick<RenderedMail, 'subject' | 'html' | 'text'>

export type MailRenderer = ReturnType<typeof createMailRenderer>

/** Makes messages from their templates, with the names and the logo of the school. */
export function createMailRenderer({ settings, publicUrl, readLogo, tokens }: RendererOptions) {
  const origin = publicUrl && new URL(publicUrl).origin
  const bodies = createMessageHtml()

  function schoolNow(): MailSchool {
    const { systemName, schoolName, contact } = settings()
    return { systemName, schoolName, contact, origin }
  }

  async function logoNow(): Promise<MailLogo | null> {
    const { logo } = settings()
    return logo === null ? null : await readLogo(logo.url)
  }

  function bodyOfBatch(batch: BatchText, values: PlaceholderTexts, subject: string): MailBody {
    const { template, body, bodyFormat, announcementId } = batch
    if (template === 'announcement') {
      const html = bodies.htmlOf(body, bodyFormat)
      const link = origin && announcementId ? origin + announcementPath(announcementId) : null
      return announcementMail({ title: subject, html, text: textOf(body, bodyFormat, html), link })
    }
    const stored = findStoredTemplate(template)
    if (stored)
      return storedMail({ template: stored, values, html: bodies.htmlOf(stored.text, 'text', values) })
    const html = bodies.htmlOf(body, bodyFormat, values)
    return ownMessage({ html, text: textOf(body, bodyFormat, html, values) })
  }

  function bodyOf({ content, batch, subject }: RenderableMessage, school: MailSchool): MailBody {
    switch (content.template) {
      case 'welcome':
        return welcomeMail(content.values, school)
      case 'test':
        return testMail(school)
      case 'message': {
        const html = bodies.htmlOf(content.body, content.format)
        return ownMessage({ html, text: textOf(content.body, content.format, html) })
      }
      case 'sample': {
        const { name, body, format, filledWith } = content
        const sample = {
          kind: 'bulk',
          template: name,
          body,
          bodyFormat: format,
          announcementId: null,
        } as const
        return bodyOfBatch(sample, filledWith, subject)
      }
      case 'batch':
        if (batch === null) throw new Error('A message of a batch was to be rendered without it.')
        return bodyOfBatch(batch, content.values, subject)
    }
  }

  function framed(
    message: RenderableMessage,
    logo: ShownLogo | null,
    unsubscribe: string | null,
    hasDarkRules: boolean,
  ) {
    const school = schoolNow()
    const subject = onOneLine(message.subject)
    const body = bodyOf(message, school)
    const frame = createElement(MailFrame, { subject, body, school, logo, unsubscribe, hasDarkRules })
    return {
      subject,
      html: `<!doctype html>${renderToStaticMarkup(frame)}`,
      text: textFrame({ body, school, unsubscribe }),
    }
  }

  const render: RenderMail = async (message, senderAddress) => {
    const logo = await logoNow()
    const isForMany = kindsForMany.includes(message.kind) || message.content.template === 'sample'
    const page =
      origin && isForMany ? `${origin}/unsubscribe?token=${tokens.tokenOf(message.recipient)}` : null
    return {
      ...framed(message, logo && shownAt(logo, `cid:${logoCid}`), page, true),
      headers: isForMany ? unsubscribeHeaders(page, senderAddress) : {},
      attachments: logo
        ? [{ cid: logoCid, filename: 'logo.png', contentType: 'image/png', content: logo.png }]
        : [],
    }
  }

  return {
    render,

    /**
     * A message as a screen shows it in a frame: `<iframe sandbox="" srcdoc={html}>`. The frame inherits the page's policy, which
     * allows style attributes and data: pictures but no style elements, so the logo stands in the HTML, and rules for dark programs
     * are left out. The sandbox lets nothing in it run, and no link open.
     */
    async preview(message: RenderableMessage): Promise<PreviewedMail> {
      const logo = await logoNow()
      const shown = logo && shownAt(logo, `data:image/png;base64,${logo.png.toString('base64')}`)
      return framed(message, shown, null, false)
    },
  }
}

function shownAt({ width, height }: MailLogo, src: string): ShownLogo {
  return { src, width, height }
}

/** RFC 2369 and RFC 8058. One click is only promised where there is an address of the web that keeps it. */
function unsubscribeHeaders(page: string | null, senderAddress: string): Record<string, string> {
  const byMail = `<mailto:${encodeURI(senderAddress)}?subject=unsubscribe>`
  if (page === null) return { 'List-Unsubscribe': byMail }
  const isOneClick = page.startsWith('https://')
  return {
    'List-Unsubscribe': `<${page}>, ${byMail}`,
    ...(isOneClick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  }
}
