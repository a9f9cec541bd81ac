import { expect, test } from 'vitest'
import type { MailAccount } from '#shared/mail.ts'
import { mailSentences } from '#shared/mail.ts'
import { mailAccountMessages } from '#shared/mail-account.ts'
import { statusSentence } from './status-sentence.ts'

const account: MailAccount = {
  ...{ senderAddress: 'office@school.example', senderName: '', userName: '', version: 1 },
  ...{ host: 'smtp.school.example', port: 465, secure: true, imapHost: '', imapPort: 993 },
}
const ok = { isConfigured: true, status: 'ok', message: 'Email service is configured.' } as const
const unconfigured = { isConfigured: false, status: 'not_configured' } as const
const goes = { trouble: '' }

test('names the sender while e-mail goes out', () => {
  expect(statusSentence({ status: ok, account, queue: goes })).toBe(
    'E-mail goes out from office@school.example.',
  )
})

test('says why nothing goes out', () => {
  const queue = { trouble: 'Could not reach the mail server.' }
  expect(statusSentence({ status: ok, account, queue })).toBe('Could not reach the mail server.')
})

test.each([mailSentences.notConfigured, mailAccountMessages.passwordUnreadable])(
  'says why not: %s',
  (message) => {
    expect(statusSentence({ status: { ...unconfigured, message }, account: null, queue: goes })).toBe(message)
  },
)
