import {
  fillPlaceholders,
  type PlaceholderName,
  type PlaceholderTexts,
  placeholderTexts,
} from '#shared/mail/mail-placeholders.ts'
import { type Fact, Facts, factLines, preheaderOf, SafeHtml, Title } from './mail-parts.tsx'
import { type MailBody, textHeading } from './render.ts'

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
