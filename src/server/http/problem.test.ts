import { expect, test } from 'vitest'
import { failureSentence, isMailCall } from './problem.ts'

test.each([
  ['/api/send-email', 'Failed to send email'],
  ['/api/send-bulk-emails', 'Failed to send bulk emails'],
  ['/emailService/send-welcome-email', 'Failed to send welcome email'],
])('%s fails with the message of the specification', (path, sentence) => {
  expect(isMailCall(path)).toBe(true)
  expect(failureSentence(path)).toBe(sentence)
})

test('every other call fails with the general message', () => {
  expect(isMailCall('/api/students')).toBe(false)
  expect(failureSentence('/api/students')).toBe(
    'Something went wrong on our side. Please try again in a minute.',
  )
})
