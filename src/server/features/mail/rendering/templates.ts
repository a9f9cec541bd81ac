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
import { factTable, formatted, linkParagraph, listed, mailOf, paragraph, preheaderOf } from './mail-parts.tsx'
import { type MailBody, type MailSchool, nameOf } from './render.ts'
import storedTemplates from './stored-templates.json' with { type: 'json' }

export function announcementMail(title: string, html: string, text: string, link: string | null): MailBody {
  const parts = [formatted(html, text)]
  if (link !== null) parts.push(linkParagraph('Read it on the site', link))
  return mailOf(title, parts, preheaderOf(text))
}

export function testMail(school: MailSchool): MailBody {
  const words = `This message was sent by ${school.systemName} of ${nameOf(school)} to test its e-mail configuration. It was accepted by your mail server.`
  const next =
    'If it is in the spam folder, mark it as not spam, so that later messages are less likely to be treated as spam.'
  return mailOf('E-mail works', [paragraph(words), paragraph(next)], words)
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
  const greeting = t(`Dear ${[firstName, lastName].filter(Boolean).map(unlinked).join(' ')},`)
  const thanks = t(
    component === ''
      ? 'Thank you for registering for the National Service Training Program. Your registration has been received.'
      : `Thank you for registering for the National Service Training Program. Your registration for ${component} has been received.`,
  )
  const mistake = t(
    `If you did not register, please let the ${officeOf(school)} know, or ignore this e-mail.`,
  )
  const facts = [
    { label: t('Your reference code'), value: reference, isCode: true },
    { label: t('NSTP component'), value: component },
  ]
  const steps = (reference === '' ? nextSteps : [keepNote, ...nextSteps]).map(t)
  const preheader = [reference && t(`Your reference code is ${reference}.`), t(nextSteps[0])]
  const parts = [
    paragraph(greeting),
    paragraph(thanks),
    factTable(facts),
    listed(t('Next steps'), steps),
    paragraph(mistake),
  ]
  return { ...mailOf(t(welcomeTitle), parts, preheader.filter(Boolean).join(' ')), language }
}

// Names the office with the first way to reach it that the office has set, if any.
function officeOf({ contact }: MailSchool): string {
  const office = contact.office.replace(/^the /i, '')
  const reach = contact.email || contact.phone || contact.address
  return reach === '' ? office : `${office} (${reach})`
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
  return mailOf(template.heading, [formatted(html, text), factTable(facts)], preheaderOf(text))
}

export function findStoredTemplate(name: string): StoredTemplate | undefined {
  return storedTemplates.find((template) => template.name === name)
}
