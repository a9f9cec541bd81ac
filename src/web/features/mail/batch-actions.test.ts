import { expect, test } from 'vitest'
import type { MailCounts } from '#shared/mail/mail.ts'
import { estimateEnd } from './batch-actions.tsx'

const now = new Date('2026-11-21T06:00:00Z')
const counts: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
const queue = { counts, sentToday: 0, perDay: 450, perMinute: 20 }

test('within today’s quota the rate per minute decides', () => {
  expect(estimateEnd(queue, 200, now)).toBe('2026-11-21T06:10:00.000Z')
})

test('queued messages are sent first', () => {
  expect(estimateEnd({ ...queue, counts: { ...counts, queued: 199, sending: 1 } }, 200, now)).toBe(
    '2026-11-21T06:20:00.000Z',
  )
})

test('beyond the bulk quota it continues the next day', () => {
  // 405 a day, 5 of them gone: 400 today, 1 tomorrow.
  expect(estimateEnd({ ...queue, sentToday: 5 }, 401, now)).toBe('2026-11-22T06:01:00.000Z')
})

test('3,012 students take eight days', () => {
  expect(estimateEnd(queue, 3_012, now).slice(0, 10)).toBe('2026-11-28')
})

test('the smallest quota sends one a day', () => {
  expect(estimateEnd({ ...queue, perDay: 1, perMinute: 1 }, 1, now)).toBe('2026-11-21T06:01:00.000Z')
})
