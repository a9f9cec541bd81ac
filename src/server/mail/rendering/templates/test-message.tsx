import { type MailBody, type MailSchool, nameOf } from '#server/mail/rendering/mail-body.ts'
import { textHeading } from '#server/mail/rendering/plain-text.ts'
import { Paragraph, Title } from './mail-parts.tsx'

const title = 'E-mail works'

/** To oneself: that it arrived says everything. */
export function testMail(school: MailSchool): MailBody {
  const words = `This message was sent by ${school.systemName} of ${nameOf(school)} to test its e-mail configuration. It was accepted by your mail server.`
  const next =
    'If it stands in the spam folder, mark it as no spam, so that the students’ mail programs learn from it.'
  return {
    preheader: words,
    html: (
      <>
        <Title>{title}</Title>
        <Paragraph>{words}</Paragraph>
        <Paragraph>{next}</Paragraph>
      </>
    ),
    text: [textHeading(title), words, next].join('\n\n'),
  }
}
