import { expect, test } from 'vitest'
import type { MailCounts } from '#shared/mail.ts'
import { quotaText } from './quota-text.ts'

const counts: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
const waiting = { ...counts, queued: 2_607 }

test('it tells how much of the day’s quota is used', () => {
  expect(quotaText({ counts: waiting, sentToday: 404, perDay: 450 })).toBe(
    '404 of 450 sent in the last 24 hours.',
  )
})

test('and why bulk e-mail waits although some of it is left', () => {
  expect(quotaText({ counts: waiting, sentToday: 405, perDay: 450 })).toBe(
    '405 of 450 sent in the last 24 hours. The rest is kept for confirmations and e-mails to one person; bulk e-mail goes on when it may.',
  )
})

test.each([
  ['nothing waits', { counts, sentToday: 405, perDay: 450 }],
  ['nothing is left', { counts: waiting, sentToday: 450, perDay: 450 }],
])('but not when %s', (_, queue) => {
  expect(quotaText(queue)).toMatch(/^\d+ of 450 sent in the last 24 hours\.$/)
})
