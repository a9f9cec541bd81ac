import { expect, test } from 'vitest'
import { singleEmailSentences } from '#shared/mail/single-email.ts'
import type { ProblemCode } from '#shared/problem.ts'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import { singleMailFailure } from './message-view.tsx'

const problem = (code: ProblemCode, detail: string) =>
  new ApiProblem({ title: '', status: 500, code, detail })

test('an unsent mail has its message', () => {
  expect(singleMailFailure(connectionProblem('offline'))).toBe(
    'Failed to send email: We could not reach the server. Please check your internet connection and try again.',
  )
  expect(singleMailFailure(problem('too_many_requests', 'Please wait.'))).toBe(
    'Failed to send email: Please wait.',
  )
})

test('a missing or foreign response has its message', () => {
  expect(singleMailFailure(new SyntaxError('not JSON'))).toBe(
    'Failed to send email: Invalid response from email server',
  )
})

test.each([
  problem('not_sent', singleEmailSentences.failed('No such user')),
  problem('not_sent', singleEmailSentences.unknown('')),
  problem('internal', 'Failed to send email'),
])('the server’s message is shown: %s', (error) => {
  expect(singleMailFailure(error)).toBe(error.message)
})
