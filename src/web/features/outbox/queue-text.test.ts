import { expect, test } from 'vitest'
import type { MailQueueStatus } from '#shared/mail.ts'
import { queueText } from './queue-text.ts'

const queue: MailQueueStatus = {
  counts: { queued: 1_312, sending: 1, sent: 9_000, failed: 2, unknown: 1, cancelled: 0 },
  trouble: '',
  sentToday: 120,
  perDay: 450,
  perMinute: 20,
  finishesAt: '2026-11-24T02:00:00Z',
}
const textOf = (changes: Partial<MailQueueStatus>) =>
  queueText({ ...queue, ...changes }, new Date('2026-11-21T06:00:00Z'), 'Asia/Manila')

test('it says what went out, what waits and until when', () => {
  expect(textOf({})).toBe(
    'Sent within 24 hours: 120 of 450 · 1,313 waiting, the last of them to go out on Tuesday, Nov 24',
  )
})

test('while nothing goes out it promises no end', () => {
  expect(textOf({ finishesAt: null })).toBe('Sent within 24 hours: 120 of 450 · 1,313 waiting')
})

test('an empty queue says so', () => {
  expect(textOf({ counts: { ...queue.counts, queued: 0, sending: 0 } })).toBe(
    'Sent within 24 hours: 120 of 450 · Nothing is waiting',
  )
})
