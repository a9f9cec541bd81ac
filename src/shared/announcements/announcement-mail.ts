import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'

export type MailTo = NstpComponent | '' | null

export const mailToChoices = ['nobody', 'all', ...nstpComponents] as const
export type MailToChoice = (typeof mailToChoices)[number]

export function mailToOf(choice: unknown): MailTo | undefined {
  if (choice === null || choice === 'nobody') return null
  if (choice === '' || choice === 'all') return ''
  return nstpComponents.find((component) => component === choice)
}

export function choiceOf(mailTo: MailTo): MailToChoice {
  return mailTo === null ? 'nobody' : mailTo === '' ? 'all' : mailTo
}

export const announcementMailSentences = {
  choose: 'Please choose who gets it by e-mail: no one, all, ROTC, CWTS or LTS.',
  mailed: 'It was already e-mailed, so the recipients can no longer be changed.',
  notPublic: 'It will be e-mailed when it is published.',
  noRecipients: 'Please choose who gets it by e-mail first.',
  late: 'The system was not running when it was published.',
  restored: 'A backup was restored before it was e-mailed.',
  otherComponent: 'Your account can only e-mail students of its own components.',
} as const

export const mailingsAtOnce = 50
