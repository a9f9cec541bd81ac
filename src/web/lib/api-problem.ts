import { connectionSentence, type Problem, type ProblemCode, problemSentences } from '#shared/problem.ts'
import { scriptSentence } from '#shared/script-error.ts'
import { isConnectionFailure, reportScriptError } from './script-errors.ts'

/** `message` is the sentence to show. Status 0: no answer. */
export class ApiProblem extends Error {
  override name = 'ApiProblem'
  readonly problem: Problem
  /** Seconds (Retry-After). */
  readonly retryAfter: number | undefined

  constructor(
    problem: Problem,
    { retryAfter, cause }: { retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(problem.detail, { cause })
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** No connection or a timeout: status 0. */
export function connectionProblem(cause: unknown): ApiProblem {
  const problem: Problem = {
    title: 'No connection',
    status: 0,
    detail: connectionSentence,
    code: 'unavailable',
  }
  return new ApiProblem(problem, { cause })
}

export function noSessionProblem(): ApiProblem {
  const detail = problemSentences.unauthenticated
  return new ApiProblem({ title: 'No session', status: 401, detail, code: 'unauthenticated' })
}

/** What the browser itself found: the server is not asked, or its answer has nothing. */
export function foundProblem(
  code: 'invalid' | 'not_found',
  detail: string = problemSentences[code],
): ApiProblem {
  return new ApiProblem({ title: 'Found in the browser', status: 0, detail, code })
}

/** For statuses outside 200–299. A proxy's error page gets a sentence by its status. */
export async function problemOfResponse(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined
  const body = await readJson(response)
  if (isProblem(body)) return new ApiProblem(body, { retryAfter })
  const code = codeOfStatus[response.status] ?? (response.status >= 500 ? 'internal' : 'invalid')
  const problem: Problem = {
    title: response.statusText,
    status: response.status,
    detail: problemSentences[code],
    code,
  }
  return new ApiProblem(problem, { retryAfter })
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.problem.code === 'conflict'
}

export function isAbout(error: unknown, field: string): boolean {
  return error instanceof ApiProblem && (error.problem.errors?.some(({ path }) => path === field) ?? false)
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.message
  if (isConnectionFailure(error)) return connectionSentence
  // Neither an answer nor a lost connection: our own script failed, and would again in a minute.
  reportScriptError(error)
  return scriptSentence
}

/** 'Failed to sign out: We could not reach the server.', or the reason alone. */
export function failureText(whatFailed: string | undefined, error: unknown): string {
  const reason = sentenceOf(error)
  return whatFailed === undefined ? reason : `${whatFailed}: ${reason}`
}

const codeOfStatus: Partial<Record<number, ProblemCode>> = {
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  409: 'conflict',
  413: 'too_big',
  429: 'too_many_requests',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.headers.get('Content-Type')?.includes('json')) return undefined
  try {
    return await response.json()
  } catch {
    // Cut off or not JSON after all: only the status is left.
    return undefined
  }
}

export function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'detail' in body &&
    typeof body.detail === 'string' &&
    'code' in body &&
    typeof body.code === 'string'
  )
}
