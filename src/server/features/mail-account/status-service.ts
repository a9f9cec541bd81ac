import type { Logger } from 'pino'
import { type MailServiceStatus, mailSentences } from '#shared/mail.ts'
import { mailAccountMessages } from '#shared/mail-account.ts'
import type { MailAccountService } from './service.ts'

interface MailStatusOptions {
  account: Pick<MailAccountService, 'load' | 'current' | 'lacksPassword'>
  /** Why nothing goes out at the moment; '' when it does. */
  trouble: () => string
  log: Logger
}

/** Says whether e-mail is configured (spec §7, GET /emailService/status). */
export function createMailStatus({ account, trouble, log }: MailStatusOptions) {
  return async (): Promise<MailServiceStatus> => {
    try {
      await account.load()
    } catch (error) {
      log.warn({ err: error }, 'the mail account was not read')
      return { isConfigured: false, status: 'error', message: mailSentences.noConnection }
    }
    if (account.lacksPassword()) {
      return {
        isConfigured: false,
        status: 'not_configured',
        message: mailAccountMessages.passwordUnreadable,
      }
    }
    if (!account.current()) {
      return { isConfigured: false, status: 'not_configured', message: mailSentences.notConfigured }
    }
    const message = trouble()
    return message === ''
      ? { isConfigured: true, status: 'ok', message: 'Email service is configured.' }
      : { isConfigured: true, status: 'error', message }
  }
}

export type MailStatus = ReturnType<typeof createMailStatus>
