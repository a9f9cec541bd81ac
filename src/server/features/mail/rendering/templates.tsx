import type { WelcomeValues } from '#server/features/mail/mailer.ts'
import {
  fillPlaceholders,
  type PlaceholderName,
  type PlaceholderTexts,
  placeholderTexts,
} from '#shared/mail/mail-placeholders.ts'
import { nextSteps } from '#shared/registration/consent.ts'
import { componentNames, isComponent } from '#shared/students/student-choices.ts'
import {
  type Fact,
  Facts,
  factLines,
  linkStyle,
  Paragraph,
  preheaderOf,
  SafeHtml,
  Steps,
  Title,
} from './mail-parts.tsx'
import { type MailBody, type MailSchool, nameOf, textHeading } from './render.ts'

interface AnnouncementParts {
  title: string
  html: string
  text: string
  link: string | null
}

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

const title = 'E-mail works'

export function testMail(school: MailSchool): MailBody {
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

export function welcomeSubject({ schoolName }: Pick<MailSchool, 'schoolName'>): string {
  return schoolName === '' ? 'Welcome to NSTP' : `Welcome to NSTP at ${schoolName}`
}

export function welcomeMail(values: WelcomeValues, school: MailSchool): MailBody {
  const { firstName, lastName, reference } = values
  const greeting = `Dear ${[firstName, lastName].filter(Boolean).join(' ')},`
  const thanks = `Thank you for registering for the National Service Training Program. ${receivedText(values)}`
  const mistake = `If you did not register, please let ${school.contact.office || 'the NSTP office'} know, or ignore this e-mail.`
  const facts = factsOf(values)
  const steps = reference === '' ? nextSteps : [keepNote, ...nextSteps]
  return {
    preheader: [reference && `Your reference code is ${reference}.`, nextSteps[0]].filter(Boolean).join(' '),
    html: (
      <>
        <Title>{welcomeTitle}</Title>
        <Paragraph>{greeting}</Paragraph>
        <Paragraph>{thanks}</Paragraph>
        <Facts facts={facts} />
        <Paragraph>
          <strong>Next steps</strong>
        </Paragraph>
        <Steps steps={steps} />
        <Paragraph>{mistake}</Paragraph>
      </>
    ),
    text: [
      textHeading(welcomeTitle),
      greeting,
      thanks,
      factLines(facts),
      `Next steps\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`,
      mistake,
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

function factsOf(values: WelcomeValues): Fact[] {
  return [
    { label: 'Your reference code', value: values.reference, isCode: true },
    { label: 'NSTP component', value: componentText(values) },
  ]
}

function receivedText(values: WelcomeValues): string {
  const component = componentText(values)
  return `Your registration${component && ` for ${component}`} has been received.`
}

function componentText({ nstpComponent }: Pick<WelcomeValues, 'nstpComponent'>): string {
  return isComponent(nstpComponent) ? `${nstpComponent} (${componentNames[nstpComponent]})` : nstpComponent
}

interface StoredTemplate {
  name: string
  title: string
  subject: string
  heading: string
  text: string
  facts: readonly PlaceholderName[]
}

export interface StoredParts {
  template: StoredTemplate
  values: PlaceholderTexts
  html: string
}

export function storedMail({ template, values, html }: StoredParts): MailBody {
  const text = fillPlaceholders(template.text, values)
  const facts = template.facts.map(
    (name): Fact => ({
      label: placeholderTexts[name],
      value: values[name]?.trim() ?? '',
      isCode: name === 'reference',
    }),
  )
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

const enlistment: StoredTemplate = {
  name: 'welcome',
  title: 'Confirmation of enlistment',
  subject: 'Welcome to NSTP, {firstName}',
  heading: 'You are enlisted in NSTP',
  text: `Dear {firstName},

You are enlisted in the National Service Training Program. Keep this e-mail. The NSTP office finds your record with the reference code.

The NSTP office will contact you if anything is missing. Attend the orientation when it is announced, and bring your school ID.`,
  facts: ['reference', 'component', 'course', 'academicYear'],
}

const orientation: StoredTemplate = {
  name: 'orientation',
  title: 'Invitation to the orientation',
  subject: 'NSTP orientation, {firstName}',
  heading: 'Come to the NSTP orientation',
  text: `Dear {firstName},

The orientation of your NSTP component is coming soon. Its date and place are in the announcements of the NSTP office.

- Come fifteen minutes early and bring your school ID.
- Wear comfortable clothes and closed shoes.
- If you cannot come, please inform the office beforehand.

We look forward to meeting you.`,
  facts: ['component', 'reference'],
}

const requirements: StoredTemplate = {
  name: 'requirements',
  title: 'Reminder: complete your requirements',
  subject: 'Please complete your NSTP requirements',
  heading: 'Please complete your requirements',
  text: `Dear {firstName},

Your NSTP record is not complete yet. Please bring the following to the NSTP office:

- your signed enlistment form
- a copy of your certificate of registration
- your school ID

The office can tell you what is still missing. Please give your reference code when you ask.`,
  facts: ['component', 'academicYear', 'reference'],
}

export const storedTemplates: readonly StoredTemplate[] = [enlistment, requirements, orientation]

export function findStoredTemplate(name: string): StoredTemplate | undefined {
  return storedTemplates.find((template) => template.name === name)
}
