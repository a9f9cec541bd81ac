import { describe, expect, test } from 'vitest'
import { connectionSentence, type Problem, problemSentences } from '#shared/problem.ts'
import { scriptSentence } from '#shared/script-error.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { failureOf } from './failure-page.tsx'

const unavailable: Problem = {
  title: 'Not available',
  status: 503,
  detail: problemSentences.unavailable,
  code: 'unavailable',
}

function response(status: number, data: unknown) {
  return { status, statusText: '', internal: false, data }
}

describe('the page in place of one that failed', () => {
  test('says so when the device is offline', () => {
    expect(failureOf(new Error('anything'), false).sentence).toBe(connectionSentence)
  })

  test("says what the API said, thrown here or by the server's loader", () => {
    expect(failureOf(new ApiProblem(unavailable), true).sentence).toBe(problemSentences.unavailable)
    expect(failureOf(response(503, unavailable), true).sentence).toBe(problemSentences.unavailable)
  })

  test('says that a page does not exist', () => {
    expect(failureOf(response(404, null), true).title).toBe('Page not found')
  })

  test('speaks of the connection when a page could not be fetched', () => {
    const error = new TypeError('Failed to fetch dynamically imported module: /assets/login.js')
    expect(failureOf(error, true).sentence).toBe(connectionSentence)
  })

  test('hides the message of a programming error, and says whose it is', () => {
    expect(failureOf(new TypeError("can't access property 'x'"), true).sentence).toBe(scriptSentence)
    // React Router's, of a failure on the server.
    expect(failureOf(new Error('Unexpected Server Error'), true).sentence).toBe(problemSentences.internal)
  })
})
