import type { WelcomeValues } from '#server/mail/mail-content.ts'
import type { MailBody, MailSchool } from '#server/mail/rendering/mail-body.ts'
import { textHeading } from '#server/mail/rendering/plain-text.ts'
import { nextSteps } from '#shared/next-steps.ts'
import { componentNames, isComponent } from '#shared/student-choices.ts'
import { type Fact, Facts, factLines, Paragraph, Steps, Title } from './mail-parts.tsx'

const title = 'You are enlisted in NSTP'
const keep = 'Keep this e-mail: the office finds your record by the reference code.'

/** What the welcome mail is called in the mailbox. */
export function welcomeSubject({ schoolName }: Pick<MailSchool, 'schoolName'>): string {
  return schoolName === '' ? 'Welcome to NSTP' : `Welcome to NSTP at ${schoolName}`
}

/** After an enlistment: its component and reference, and what comes next. */
export function welcomeMail(values: WelcomeValues, school: MailSchool): MailBody {
  const { firstName, lastName, reference } = values
  const greeting = `Dear ${[firstName, lastName].filter(Boolean).join(' ')},`
  const thanks = `Thank you for registering for the National Service Training Program. ${receivedText(values)}`
  const mistake = `If you did not register, please tell ${school.contact.office || 'the NSTP office'}, or ignore this e-mail.`
  const facts = factsOf(values)
  const steps = reference === '' ? nextSteps : [keep, ...nextSteps]
  return {
    preheader: [reference && `Your reference code is ${reference}.`, nextSteps[0]].filter(Boolean).join(' '),
    html: (
      <>
        <Title>{title}</Title>
        <Paragraph>{greeting}</Paragraph>
        <Paragraph>{thanks}</Paragraph>
        <Facts facts={facts} />
        <Paragraph>
          <strong>What comes next</strong>
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
      `What comes next\n${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}`,
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
