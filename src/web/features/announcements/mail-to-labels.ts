import type { MailToChoice } from '#shared/announcement-mail.ts'

/** Whom an announcement is e-mailed to, as the form says it. */
export const mailToLabels: Record<MailToChoice, string> = {
  nobody: 'Nobody',
  all: 'All students',
  ROTC: 'ROTC',
  CWTS: 'CWTS',
  LTS: 'LTS',
}
