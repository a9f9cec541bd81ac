import type { MailBody } from '#server/mail/rendering/mail-body.ts'
import { textHeading } from '#server/mail/rendering/plain-text.ts'
import { linkStyle } from './mail-look.ts'
import { Paragraph, SafeHtml, Title } from './mail-parts.tsx'
import { preheaderOf } from './own-message.tsx'

interface AnnouncementParts {
  title: string
  html: string
  text: string
  /** Where it stands on the site; null when that isn't known. */
  link: string | null
}

/** What was published on the site. */
export function announcementMail({ title, html, text, link }: AnnouncementParts): MailBody {
  return {
    preheader: preheaderOf(text),
    html: (
      <>
        <Title>{title}</Title>
        <SafeHtml html={html} />
        {link !== null && (
          <Paragraph>
            <a className="m-link" href={link} style={linkStyle}>
              Read it on the site
            </a>
          </Paragraph>
        )}
      </>
    ),
    text: [textHeading(title), text, ...(link === null ? [] : [`Read it on the site:\n${link}`])].join(
      '\n\n',
    ),
  }
}
