import { describe, expect, test } from 'vitest'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import { isAnswer, keyFor } from './single-email.tsx'

const values = { to: 'juan@example.edu.ph', subject: 'Orientation', message: 'On Monday.' }

function problem(status: number, code: 'not_sent' | 'invalid' | 'unavailable' | 'internal') {
  return new ApiProblem({ title: '', status, detail: '', code })
}

describe('the idempotency key', () => {
  test('is reused for the same mail', () => {
    const first = keyFor(values, 'recipient', null)
    expect(keyFor({ ...values }, 'recipient', first)).toBe(first)
  })

  test('is another one for another mail, and for the test of the same', () => {
    const first = keyFor(values, 'recipient', null)
    const others = [
      keyFor({ ...values, message: 'On Tuesday.' }, 'recipient', first),
      keyFor({ ...values, to: 'ana@example.edu.ph' }, 'recipient', first),
      keyFor(values, 'self', first),
      keyFor(values, 'recipient', null),
    ]
    expect(new Set([first, ...others].map(({ key }) => key)).size).toBe(5)
  })
})

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
