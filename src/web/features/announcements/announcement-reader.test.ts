import { expect, test } from 'vitest'
import { connectionSentence, problemSentences } from '#shared/problem.ts'
import { ApiProblem, connectionProblem } from '#web/lib/api-problem.ts'
import { accessMessage } from './announcement-reader.tsx'

test('distinguishes a refusal from a connection failure', () => {
  const refused = new ApiProblem({
    title: 'Unavailable',
    status: 503,
    code: 'unavailable',
    detail: problemSentences.unavailable,
  })
  expect(accessMessage(refused)).toBe(`Cannot access announcements: ${problemSentences.unavailable}`)
  expect(accessMessage(connectionProblem('no route'))).toBe(`Error during retry: ${connectionSentence}`)
})
