import { expect, test } from 'vitest'
import { type MailCounts, mailSentences } from '#shared/mail/mail.ts'
import { mailAccountMessages, passwordSignIn } from '#shared/mail/mail-account.ts'
import type { MailAccount } from '#shared/mail/mail-response.ts'
import { quotaText, statusSentence } from './email-tab.tsx'

const counts: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
const waiting = { ...counts, queued: 2_607 }

test('the used part of the daily quota is shown', () => {
  expect(quotaText({ counts: waiting, sentToday: 404, perDay: 450 })).toBe(
    '404 of 450 sent in the last 24 hours.',
  )
})

test('it is explained why bulk e-mail waits although some quota is left', () => {
  expect(quotaText({ counts: waiting, sentToday: 405, perDay: 450 })).toBe(
    '405 of 450 sent in the last 24 hours. The rest is reserved for confirmations and single e-mails; bulk e-mail continues later.',
  )
})

test.each([
  ['nothing waits', { counts, sentToday: 405, perDay: 450 }],
  ['nothing is left', { counts: waiting, sentToday: 450, perDay: 450 }],
])('but not when %s', (_, queue) => {
  expect(quotaText(queue)).toMatch(/^\d+ of 450 sent in the last 24 hours\.$/)
})

const account: MailAccount = {
  ...{ senderAddress: 'office@school.example', senderName: '', userName: '', version: 1 },
  ...{ host: 'smtp.school.example', port: 465, secure: true, imapHost: '', imapPort: 993 },
  ...passwordSignIn,
}
const ok = { isConfigured: true, status: 'ok', message: 'Email service is configured.' } as const
const unconfigured = { isConfigured: false, status: 'not_configured' } as const
const goes = { trouble: '' }

test('names the sender while e-mail can be sent', () => {
  expect(statusSentence({ status: ok, account, queue: goes })).toBe('Sending as office@school.example.')
})

test('says why nothing is sent', () => {
  const queue = { trouble: 'Could not reach the mail server.' }
  expect(statusSentence({ status: ok, account, queue })).toBe('Could not reach the mail server.')
})

test.each([mailSentences.notConfigured, mailAccountMessages.passwordUnreadable])(
  'says why not: %s',
  (message) => {
    expect(statusSentence({ status: { ...unconfigured, message }, account: null, queue: goes })).toBe(message)
  },
)
