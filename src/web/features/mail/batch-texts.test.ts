import { expect, test } from 'vitest'
import type { MailCounts } from '#shared/mail/mail.ts'
import {
  batchBadgeOf,
  endText,
  hasEnded,
  leftOutText,
  leftOutTexts,
  sentText,
  sourceText,
} from './batch-texts.ts'

const none: MailCounts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }

test('a batch is running until the last message has ended', () => {
  expect(hasEnded({ state: 'running', counts: { ...none, sent: 9, sending: 1 } })).toBe(false)
  expect(hasEnded({ state: 'paused', counts: { ...none, queued: 1 } })).toBe(false)
  expect(hasEnded({ state: 'finished', counts: { ...none, sent: 9, failed: 1 } })).toBe(true)
})

test('a cancelled batch ends with the message that is being sent', () => {
  expect(hasEnded({ state: 'cancelled', counts: { ...none, sending: 1, cancelled: 4 } })).toBe(false)
  expect(hasEnded({ state: 'cancelled', counts: { ...none, cancelled: 5 } })).toBe(true)
})

test.each([
  ['Sending', { state: 'running', counts: { ...none, queued: 1 } }],
  ['Paused', { state: 'paused', counts: { ...none, queued: 1 } }],
  ['Finished', { state: 'finished', counts: { ...none, sent: 3 } }],
  ['Finished with failures', { state: 'finished', counts: { ...none, sent: 3, failed: 1, unknown: 1 } }],
  ['Finished, 1 to review', { state: 'finished', counts: { ...none, sent: 3, unknown: 1 } }],
  ['Cancelled', { state: 'cancelled', counts: { ...none, cancelled: 3 } }],
] as const)('it says %s', (label, batch) => {
  expect(batchBadgeOf(batch).label).toBe(label)
})

test('the recipients are described', () => {
  expect(sourceText({ kind: 'list' })).toBe('Address list')
  expect(sourceText({ kind: 'selection' })).toBe('Selected students')
  expect(sourceText({ kind: 'repeat' })).toBe('Retry of failed recipients')
  expect(sourceText({ kind: 'students', audience: {} })).toBe('All students')
  expect(
    sourceText({
      kind: 'students',
      audience: { component: 'ROTC', academicYear: '2026-2027', archive: 'active' },
    }),
  ).toBe('Students: ROTC, 2026-2027, not archived')
})

test('figures are written with their commas', () => {
  expect(sentText({ counts: { ...none, sent: 2_950 }, recipientCount: 3_012 })).toBe('2,950 of 3,012 sent')
  expect(leftOutTexts({ optedOut: 1_012, duplicates: 0, invalid: 1 })).toEqual([
    '1,012 opted out',
    '1 invalid',
  ])
  expect(leftOutText({ optedOutCount: 12, duplicateCount: 1, invalidCount: 0 })).toBe(
    'Excluded: 12 opted out, 1 duplicate',
  )
  expect(leftOutText({ optedOutCount: 0, duplicateCount: 0, invalidCount: 0 })).toBe('')
})

test('the estimated end, or how it ended', () => {
  const batch = {
    state: 'running',
    counts: { ...none, queued: 5, sent: 7 },
    recipientCount: 12,
    finishesAt: '2026-11-24T02:00:00Z',
  } as const
  const textOf = (changes: object) =>
    endText({ ...batch, ...changes }, new Date('2026-11-21T06:00:00Z'), 'Asia/Manila')
  expect(textOf({})).toBe('Finishes on Tuesday, Nov 24. You can leave this page.')
  expect(textOf({ finishesAt: null })).toContain('Sending is on hold')
  expect(textOf({ state: 'paused' })).toContain('until you resume')
  expect(textOf({ state: 'finished', counts: { ...none, sent: 10, failed: 2 } })).toBe(
    'Successfully sent 10 of 12 emails.',
  )
  expect(textOf({ state: 'cancelled', counts: { ...none, sent: 7, cancelled: 5 } })).toBe(
    '5 e-mails will not be sent.',
  )
})
