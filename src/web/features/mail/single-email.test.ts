import { describe, expect, test } from 'vitest'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import { isAnswer } from './single-email.tsx'

function problem(status: number, code: 'not_sent' | 'invalid' | 'unavailable' | 'internal') {
  return new ApiProblem({ title: '', status, detail: '', code })
}

describe('a failure', () => {
  test.each([problem(422, 'invalid'), problem(502, 'not_sent')])(
    'that is an answer ends the key',
    (error) => {
      expect(isAnswer(error)).toBe(true)
    },
  )

  test.each([
    connectionProblem('timeout'),
    problem(503, 'unavailable'),
    problem(502, 'unavailable'),
    problem(500, 'internal'),
    new SyntaxError('not JSON'),
  ])('that says nothing of the mail keeps it', (error) => {
    expect(isAnswer(error)).toBe(false)
  })
})
