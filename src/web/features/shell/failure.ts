import { isRouteErrorResponse } from 'react-router'
import { connectionSentence, problemSentences } from '#shared/problem.ts'
import { ApiProblem, isProblem } from '#web/lib/api-problem.ts'

interface Failure {
  title: string
  sentence: string
}

/** What a failed page says: the truth as far as it is known, in words for people. */
export function failureOf(error: unknown, isOnline: boolean): Failure {
  if (!isOnline) return { title: 'You are offline', sentence: connectionSentence }
  if (error instanceof ApiProblem) return { title: 'This page could not be loaded', sentence: error.message }
  if (isRouteErrorResponse(error) && isProblem(error.data)) {
    return { title: 'This page could not be loaded', sentence: error.data.detail }
  }
  if (isRouteErrorResponse(error) && error.status === 404) {
    return { title: 'Page not found', sentence: problemSentences.not_found }
  }
  // A script of a version that was replaced, or the connection broke while a page's script was on its way.
  if (error instanceof TypeError && /fetch|import|load/i.test(error.message)) {
    return { title: 'This page could not be loaded', sentence: connectionSentence }
  }
  return { title: 'Something went wrong', sentence: problemSentences.internal }
}
