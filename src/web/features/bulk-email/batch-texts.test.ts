import { expect, test } from 'vitest'
import type { MailCounts } from '#shared/mail.ts'
import { batchStateOf, hasEnded, optedOutText, sentText, sourceText } from './batch-texts.ts'

const none: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }

test('a batch is under way until the last message has ended', () => {
  expect(hasEnded({ state: 'running', counts: { ...none, sent: 9, sending: 1 } })).toBe(false)
  expect(hasEnded({ state: 'running', counts: { ...none, sent: 9, failed: 1 } })).toBe(true)
})

test('a cancelled batch ends with the message that was on its way', () => {
  expect(hasEnded({ state: 'cancelled', counts: { ...none, sending: 1, cancelled: 4 } })).toBe(false)
  expect(hasEnded({ state: 'cancelled', counts: { ...none, cancelled: 5 } })).toBe(true)
})

test.each([
  ['Being sent', { state: 'running', counts: { ...none, queued: 1 } }],
  ['Paused', { state: 'paused', counts: { ...none, queued: 1 } }],
  ['Finished', { state: 'paused', counts: { ...none, sent: 3 } }],
  ['Finished with failures', { state: 'running', counts: { ...none, sent: 3, unknown: 1 } }],
  ['Cancelled', { state: 'cancelled', counts: { ...none, cancelled: 3 } }],
] as const)('it says %s', (label, batch) => {
  expect(batchStateOf(batch).label).toBe(label)
})

test('whom it was for is said in words', () => {
  expect(sourceText({ kind: 'list' })).toBe('A list of addresses')
  expect(sourceText({ kind: 'repeat' })).toBe('The failed ones of an earlier batch')
  expect(sourceText({ kind: 'students', audience: {} })).toBe('All students')
  expect(
    sourceText({
      kind: 'students',
      audience: { component: 'ROTC', academicYear: '2026-2027', archive: 'active' },
    }),
  ).toBe('Students: ROTC, 2026-2027, not archived')
})

test('figures are written with their commas, and one is one', () => {
  expect(sentText({ counts: { ...none, sent: 2_950 }, recipientCount: 3_012 })).toBe('2,950 of 3,012 sent')
  expect(optedOutText(0)).toBe('')
  expect(optedOutText(1)).toBe('1 who opted out was left out')
  expect(optedOutText(12)).toBe('12 recipients who opted out were left out')
})
