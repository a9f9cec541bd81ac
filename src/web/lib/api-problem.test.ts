import { describe, expect, test } from 'vitest'
import { connectionSentence, problemSentences } from '#shared/problem.ts'
import { scriptSentence } from '#shared/script-error.ts'
import { ApiProblem, connectionProblem, problemOfResponse, sentenceOf } from './api-problem.ts'

const problem = {
  title: 'Invalid input',
  status: 422,
  detail: 'Please fill in the last name field.',
  code: 'invalid',
  errors: [{ path: 'lastName', message: 'Please fill in the last name field.' }],
}

describe('what a refused call says', () => {
  test("is the API's own sentence, with the fields it names", async () => {
    const response = new Response(JSON.stringify(problem), {
      status: 422,
      headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '7' },
    })
    const error = await problemOfResponse(response)
    expect(error.message).toBe('Please fill in the last name field.')
    expect(error.problem.errors).toEqual(problem.errors)
    expect(error.retryAfter).toBe(7)
  })

  test.each([
    [502, 'text/html', '<h1>Bad gateway</h1>', problemSentences.unavailable],
    [503, 'application/json', '{"detail":', problemSentences.unavailable],
    [413, 'text/plain', 'too big', problemSentences.too_big],
    [500, 'application/json', '{"oops":true}', problemSentences.internal],
    [418, 'text/plain', '', problemSentences.invalid],
  ])("fits the status when a proxy answers in the API's place: %i", async (status, type, body, sentence) => {
    const error = await problemOfResponse(new Response(body, { status, headers: { 'Content-Type': type } }))
    expect(error.message).toBe(sentence)
    expect(error.problem.status).toBe(status)
  })

  test('is about the connection when no answer came', () => {
    const error = connectionProblem(new TypeError('fetch failed'))
    expect(error).toBeInstanceOf(ApiProblem)
    expect(sentenceOf(error)).toBe(connectionSentence)
  })

  test('hides the message of a programming error', () => {
    expect(sentenceOf(new TypeError('x is not a function'))).toBe(scriptSentence)
  })
})
