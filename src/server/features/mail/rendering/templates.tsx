import type { WelcomeValues } from '#server/features/mail/mailer.ts'
import {
  fillPlaceholders,
  isPlaceholder,
  type PlaceholderTexts,
  placeholderTexts,
} from '#shared/mail/mail-placeholders.ts'
import { nextSteps } from '#shared/registration/consent.ts'
import filipino from '#shared/site/filipino.json' with { type: 'json' }
import type { Language } from '#shared/site/language.ts'
import { translate, type Words } from '#shared/site/translation.ts'
import { componentNames, isComponent } from '#shared/students/student-choices.ts'
import { Facts, factLines, Link, Paragraph, preheaderOf, SafeHtml, Steps, Title } from './mail-parts.tsx'
import { type MailBody, type MailSchool, nameOf, textHeading } from './render.ts'
import storedTemplates from './stored-templates.json' with { type: 'json' }

export function announcementMail(title: string, html: string, text: string, link: string | null): MailBody {
  return {
    preheader: preheaderOf(text),
    html: (
      <>
        <Title>{title}</Title>
        <SafeHtml html={html} />
        {link !== null && (
          <Paragraph>
            <Link href={link}>Read it on the site</Link>
          </Paragraph>
        )}
      </>
    ),
    text: [textHeading(title), text, ...(link === null ? [] : [`Read it on the site:\n${link}`])].join(
      '\n\n',
    ),
  }
}

export function testMail(school: MailSchool): MailBody {
  const title = 'E-mail works'
  const words = `This message was sent by ${school.systemName} of ${nameOf(school)} to test its e-mail configuration. It was accepted by your mail server.`
  const next =
    'If it is in the spam folder, mark it as not spam, so that later messages are less likely to be treated as spam.'
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

const welcomeTitle = 'You are enlisted in NSTP'
const keepNote = 'Keep this e-mail. The NSTP office finds your record with the reference code.'

const filipinoMail: Words = filipino.mail

export function welcomeSubject({ schoolName }: Pick<MailSchool, 'schoolName'>, language?: Language): string {
  const subject = schoolName === '' ? 'Welcome to NSTP' : `Welcome to NSTP at ${schoolName}`
  return translate(subject, language === 'fil' ? filipinoMail : null)
}

export function welcomeMail(values: WelcomeValues, school: MailSchool): MailBody {
  const { firstName, lastName, nstpComponent, reference, language = 'en' } = values
  const t = (text: string) => translate(text, language === 'fil' ? filipinoMail : null)
  const component = isComponent(nstpComponent)
    ? `${nstpComponent} (${componentNames[nstpComponent]})`
    : nstpComponent
  const title = t(welcomeTitle)
  const greeting = t(`Dear ${[firstName, lastName].filter(Boolean).map(unlinked).join(' ')},`)
  const thanks = t(
    component === ''
      ? 'Thank you for registering for the National Service Training Program. Your registration has been received.'
      : `Thank you for registering for the National Service Training Program. Your registration for ${component} has been received.`,
  )
  const mistake = t(
    `If you did not register, please let ${school.contact.office || 'the NSTP office'} know, or ignore this e-mail.`,
  )
  const facts = [
    { label: t('Your reference code'), value: reference, isCode: true },
    { label: t('NSTP component'), value: component },
  ]
  const steps = (reference === '' ? nextSteps : [keepNote, ...nextSteps]).map(t)
  const stepsTitle = t('Next steps')
  return {
    language,
    preheader: [reference && t(`Your reference code is ${reference}.`), t(nextSteps[0])]
      .filter(Boolean)
      .join(' '),
    html: (
      <>
        <Title>{title}</Title>
        <Paragraph>{greeting}</Paragraph>
        <Paragraph>{thanks}</Paragraph>
        <Facts facts={facts} />
        <Paragraph>
          <strong>{stepsTitle}</strong>
        </Paragraph>
        <Steps steps={steps} />
        <Paragraph>{mistake}</Paragraph>
      </>
    ),
    text: [
      textHeading(title),
      greeting,
      thanks,
      factLines(facts),
      `${stepsTitle}\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`,
      mistake,
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

// Anybody can enlist somebody else's address: mail programs make links of names such as 'win.example/now'.
function unlinked(name: string): string {
  return name.replace(/[.:/\\@。．｡]+(?=\S)/g, '$& ')
}

type StoredTemplate = (typeof storedTemplates)[number]

export function storedMail(template: StoredTemplate, values: PlaceholderTexts, html: string): MailBody {
  const text = fillPlaceholders(template.text, values)
  const facts = template.facts.filter(isPlaceholder).map((name) => ({
    label: placeholderTexts[name],
    value: values[name]?.trim() ?? '',
    isCode: name === 'reference',
  }))
  return {
    preheader: preheaderOf(text),
    html: (
      <>
        <Title>{template.heading}</Title>
        <SafeHtml html={html} />
        <Facts facts={facts} />
      </>
    ),
    text: [textHeading(template.heading), text, factLines(facts)].filter(Boolean).join('\n\n'),
  }
}

export function findStoredTemplate(name: string): StoredTemplate | undefined {
  return storedTemplates.find((template) => template.name === name)
}
