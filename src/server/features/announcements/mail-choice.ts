import { AppError } from '#server/errors.ts'
import { announcementMailSentences, type MailTo } from '#shared/announcement-mail.ts'
import { mailSentences } from '#shared/mail.ts'

/** As it is stored. */
interface MailChoice {
  mailTo: string | null
  mailedAt: Date | null
  mailProblem: string
}

/** That of an announcement that isn't there yet. */
export const notMailed: MailChoice = { mailTo: null, mailedAt: null, mailProblem: '' }

/**
 * Who gets an announcement by mail after an edit. A new choice forgets why the former one came to nothing.
 *
 * @param sent undefined for what it is
 * @param canMail whether there is an account to send by
 * @throws AppError `invalid` when it was mailed already, or can't be mailed
 */
export function mailAfter(
  sent: MailTo | undefined,
  { mailTo, mailedAt, mailProblem }: MailChoice,
  canMail: () => boolean,
): Pick<MailChoice, 'mailTo' | 'mailProblem'> {
  if (sent === undefined || sent === mailTo) return { mailTo, mailProblem }
  if (mailedAt !== null) throw refused(announcementMailSentences.mailed)
  if (sent !== null && !canMail()) throw refused(mailSentences.notConfigured)
  return { mailTo: sent, mailProblem: '' }
}

function refused(message: string): AppError {
  return new AppError('invalid', { detail: message, errors: [{ path: 'mailTo', message }] })
}
