import type { DecisionValues, WelcomeValues } from '#server/features/mail/mailer.ts'
import {
  fillPlaceholders,
  isPlaceholder,
  type PlaceholderTexts,
  placeholderTexts,
} from '#shared/mail/mail-placeholders.ts'
import { mailTextsIn, ownSubject } from '#shared/mail/own-subject.ts'
import { myPath } from '#shared/my/my-path.ts'
import { nextSteps } from '#shared/registration/consent.ts'
import { studentRequestNames } from '#shared/requests/request-kinds.ts'
import type { Language } from '#shared/site/language.ts'
import { componentNames, isComponent } from '#shared/students/student-choices.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
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

const keepNote = 'Keep this e-mail. The NSTP office finds your record with the reference code.'

const myWords = 'See your section, your result and your record, or ask for a correction'

// The origin of links is '' while it isn't known.
const linkToMy = (words: string, origin: string) =>
  origin === '' ? [] : [linkParagraph(words, origin + myPath)]

export function welcomeMail(values: WelcomeValues, school: MailSchool, origin: string): MailBody {
  const { firstName, lastName, nstpComponent, reference, language = 'en' } = values
  const t = mailTextsIn(language)
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
    ...(reference === '' ? [] : linkToMy(t(myWords), origin)),
    paragraph(mistake),
  ]
  return { ...mailOf(t('You are enlisted in NSTP'), parts, preheader.filter(Boolean).join(' ')), language }
}

export function decisionMail(
  { kind, isGranted, accepted, refused, answer }: DecisionValues,
  origin: string,
  language: Language,
): MailBody {
  const t = mailTextsIn(language)
  const labels = (fields: readonly StudentField[]) =>
    fields.map((field) => t(fieldDefinition(field).label)).join(', ')
  const first = t(
    !isGranted
      ? 'Your request was refused.'
      : refused.length > 0
        ? 'A part of your request was granted.'
        : 'Your request was granted.',
  )
  const facts = [
    { label: t('Your request'), value: t(studentRequestNames[kind]) },
    { label: t('Changed'), value: labels(accepted) },
    { label: t('Not changed'), value: labels(refused) },
    { label: t('What the office says'), value: answer },
  ]
  const parts = [paragraph(first), factTable(facts), ...linkToMy(t('See it on your page'), origin)]
  return { ...mailOf(t('The NSTP office has answered'), parts, first), language }
}

/** To the address that the record had: whoever took it over can't hide it. */
export function addressChangedMail(school: MailSchool, language: Language): MailBody {
  const t = mailTextsIn(language)
  const changed = t('The e-mail address of your NSTP record was changed, as was asked for on your page.')
  const mistake = t(`If you did not ask for this, please tell the ${officeOf(school)} at once.`)
  const parts = [paragraph(changed), paragraph(mistake)]
  return { ...mailOf(ownSubject('address-changed', language), parts, changed), language }
}

/** The code of the second step at /my. */
export function codeMail(digits: string, school: MailSchool, origin: string, language: Language): MailBody {
  const t = mailTextsIn(language)
  const asked = t(
    'Somebody entered your reference code and birth date on the NSTP portal. To open your record, enter this code there:',
  )
  const validity = t('It is valid for ten minutes, and works once.')
  const parts = [
    paragraph(asked),
    factTable([{ label: t('Code'), value: digits.replace(/(?<=^.{3})/, ' '), isCode: true }]),
    ...linkToMy(t('My NSTP'), origin),
    paragraph(validity),
    paragraph(t(`If it was not you, give this code to nobody, and let the ${officeOf(school)} know.`)),
  ]
  return { ...mailOf(t('Your code'), parts, validity), language }
}

export interface LostCode {
  reference: string
  academicYear: string
}

export function lostCodeMail(codes: readonly LostCode[], school: MailSchool, language: Language): MailBody {
  const t = mailTextsIn(language)
  const title = t('Your reference code')
  const asked = t('Somebody, most likely you, asked for your reference code on the NSTP portal.')
  const facts = codes.map(({ reference, academicYear }) => ({
    label: academicYear === '' ? title : t(`Academic year ${academicYear}`),
    value: reference,
    isCode: true,
  }))
  const parts = [
    paragraph(asked),
    factTable(facts),
    paragraph(t(keepNote)),
    paragraph(t(`If it was not you, please let the ${officeOf(school)} know, or ignore this e-mail.`)),
  ]
  return { ...mailOf(title, parts, asked), language }
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
