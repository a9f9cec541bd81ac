import filipino from '#shared/site/filipino.json' with { type: 'json' }
import type { Language } from '#shared/site/language.ts'
import { translate } from '#shared/site/translation.ts'

export const mailTextsIn = (language: Language) => (text: string) =>
  translate(text, language === 'fil' ? filipino.mail : null)

const subjects = {
  welcome: 'Welcome to NSTP',
  code: 'Your code for NSTP',
  'lost-code': 'Your reference code for NSTP',
  decision: 'The NSTP office has answered your request',
  'address-changed': 'Your e-mail address was changed',
} as const

/** The subject of a mail to one student about the own record, with the school's name where it is given and not ''. */
export function ownSubject(
  template: keyof typeof subjects,
  language: Language = 'en',
  schoolName = '',
): string {
  const subject = subjects[template]
  return mailTextsIn(language)(schoolName === '' ? subject : `${subject} at ${schoolName}`)
}
