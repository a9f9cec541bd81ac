import { expect, test } from 'vitest'
import { batchStateOf } from '../batch-service.ts'

const none = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }

test.each([
  ['running', 'running', { queued: 1 }],
  ['running', 'running', { sent: 9, sending: 1 }],
  ['finished', 'running', { sent: 9, failed: 1 }],
  // A recipient opted out before the message was sent.
  ['finished', 'running', { sent: 9, cancelled: 1 }],
  ['finished', 'running', {}],
  ['paused', 'paused', { sent: 1, queued: 1 }],
  ['finished', 'paused', { sent: 3, unknown: 1 }],
  ['cancelled', 'cancelled', { sent: 1, cancelled: 4 }],
  ['cancelled', 'cancelled', { sending: 1 }],
  ['finished', 'cancelled', { sent: 12 }],
] as const)('a bulk e-mail is %s: decided as %s, with %j', (state, decision, counts) => {
  expect(batchStateOf(decision, { ...none, ...counts })).toBe(state)
})
