import { expect, test } from 'vitest'
import { connectionSentence, problemSentences } from '#shared/problem.ts'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import { accessSentence } from './load-failure.tsx'

test('tells a refusal from a try that never got there', () => {
  const refused = new ApiProblem({
    title: 'Unavailable',
    status: 503,
    code: 'unavailable',
    detail: problemSentences.unavailable,
  })
  expect(accessSentence(refused)).toBe(`Cannot access announcements: ${problemSentences.unavailable}`)
  expect(accessSentence(connectionProblem('no route'))).toBe(`Error during retry: ${connectionSentence}`)
})
