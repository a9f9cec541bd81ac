import { type ClientRequestOptions, type ClientResponse, hc, parseResponse } from 'hono/client'
import { data, type RouterContextProvider } from 'react-router'
import type { Api } from '#server/api.ts'
import { ApiProblem, connectionProblem, problemOfResponse } from './api-problem.ts'
import { pageContext } from './page-context.ts'
import { askForProof } from './proof.ts'
import {
  endSession,
  leaveUnlessDeferred,
  ownSessionChanged,
  resumeSession,
  sessionRefusal,
} from './session-end.ts'
import { runAfter } from './timers.ts'

// The time limit of a call in ms, for bad mobile connections. The server answers or gives up within 5 s.
const timeoutMs = 20_000
/** Failures are thrown as ApiProblem. */
export const api = withSafePaths(hc<Api>('/api', { fetch: fetchFor(timeoutMs) }))

/** For changes of a whole selection or import, and what asks mail servers: the server takes up to two minutes. */
export const slowApi = withSafePaths(hc<Api>('/api', { fetch: fetchFor(130_000) }))

/** The API in a loader or action: in the same process, with the visitor's session. */
export function serverApi(context: Readonly<RouterContextProvider>, request: Request) {
  const { fetchApi } = context.get(pageContext)
  const base = new URL('/api', request.url).href
  const client = hc<Api>(base, {
    headers: Object.fromEntries([...request.headers].filter(([name]) => forwardedHeaders.includes(name))),
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => refuseFailure(await fetchApi(input, init)),
  })
  return withSafePaths(client)
}

/**
 * Security: hono's client puts a parameter into a path as it is, so that one of an address or a form with '../' in it
 * would reach another route. Ids and codes have no other characters, so the server finds nothing for the rest.
 */
export function withSafePaths<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key)
      return typeof part === 'function' ? withSafePaths(part) : part
    },
    apply(target, self, [first, ...rest]: [{ param?: Record<string, string> }?, ...unknown[]]) {
      if (typeof target !== 'function') return undefined
      const safe = Object.entries(first?.param ?? {}).map(([name, value]) => [
        name,
        value.replace(/[^\w-]/g, '-') || '-',
      ])
      return Reflect.apply(target, self, [first && { ...first, param: Object.fromEntries(safe) }, ...rest])
    },
  })
}

/** `api` or, on the server, `serverApi`. */
export type ApiClient = typeof api

export const callApi = parseResponse

/** The header of a change that is refused for another version. */
export const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })

/** The function of a query, whose end aborts the call. */
export function reading<Args, Answer extends ClientResponse<unknown>>(
  call: (args: Args, options?: ClientRequestOptions) => Promise<Answer>,
  args: NoInfer<Args>,
): (query: { signal: AbortSignal }) => ReturnType<typeof callApi<Answer>> {
  return ({ signal }) => callApi(call(args, { init: { signal } }))
}

/**
 * Turns a refusal into an error response with the API's status and sentence: React Router replaces
 * the text of any other server error.
 */
export async function orErrorPage<T>(needed: Promise<T>): Promise<T> {
  try {
    return await needed
  } catch (error) {
    if (error instanceof ApiProblem) throw data(error.problem, { status: error.problem.status })
    throw error
  }
}

/** Gives null if the server says `not_found`. */
export async function orNull<T>(needed: Promise<T>): Promise<T | null> {
  try {
    return await needed
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.code === 'not_found') return null
    throw error
  }
}

const sentByScreens = ['/api/announcements/preview', '/api/mail/preview', '/api/students/seen']

function fetchFor(ms: number) {
  return (input: RequestInfo | URL, init: RequestInit = {}) => fetchFromBrowser(input, init, ms)
}

async function fetchFromBrowser(input: RequestInfo | URL, init: RequestInit, ms: number): Promise<Response> {
  // A wrong password is a 401 too, without an ended session.
  if (pathOf(input) === '/api/session') return await refuseFailure(await fetchInTime(input, init, ms))
  // Screens send these without a press; anything else is an action of the user.
  const isRead = init.method === 'GET' || sentByScreens.includes(pathOf(input))
  // A read beside a sign-out or a new password would be refused, and the login would say that the session had ended.
  if (isRead) await ownSessionChanged()
  const problem = sessionRefusal()
  // It would be refused for ever.
  if (isRead && problem) return await refuseWithoutSession(problem, leaveUnlessDeferred())
  const response = await fetchInTime(input, init, ms)
  if (response.status === 401) {
    const problem = await problemOfResponse(response)
    // Only the first of several concurrent calls reports the ended session.
    const isReported = isRead && sessionRefusal() !== null
    return await refuseWithoutSession(problem, isReported ? leaveUnlessDeferred() : endSession(problem))
  }
  if (response.ok && !isRead) resumeSession()
  if (response.status !== 403) return await refuseFailure(response)
  const refusal = await problemOfResponse(response)
  const isProven = refusal.problem.code === 'proof_needed' && (await askForProof())
  if (isProven) return await fetchFromBrowser(input, init, ms)
  throw refusal
}

// While leaving, never settles: an error would flash before the login page.
function refuseWithoutSession(problem: ApiProblem, isLeaving: boolean): Promise<never> {
  return isLeaving ? Promise.race<never>([]) : Promise.reject(problem)
}

async function refuseFailure(response: Response): Promise<Response> {
  if (!response.ok) throw await problemOfResponse(response)
  // The server has no such answer: a Wi-Fi that wants a sign-in has sent its own page.
  if (response.headers.get('Content-Type')?.startsWith('text/html')) throw connectionProblem(response.url)
  return response
}

async function fetchInTime(input: RequestInfo | URL, init: RequestInit, ms: number): Promise<Response> {
  const late = new AbortController()
  const giveUp = () => late.abort()
  // Not `AbortSignal.timeout`, which would cut a long download too; `AbortSignal.any` is missing on older phones.
  const stopTimer = runAfter(ms, giveUp)
  init.signal?.addEventListener('abort', giveUp)
  if (init.signal?.aborted) giveUp()
  try {
    return await fetch(input, { ...init, signal: late.signal })
  } catch (cause) {
    // The caller turned away: that is no fault of the connection, and React Router expects the abort itself.
    if (init.signal?.aborted) throw cause
    throw connectionProblem(cause)
  } finally {
    stopTimer()
  }
}

function pathOf(input: RequestInfo | URL): string {
  const url = input instanceof Request ? input.url : input.toString()
  return new URL(url, window.location.href).pathname
}

// The server needs these headers for the session, origin checks and rate limits.
const forwardedHeaders = [
  'accept-language',
  'cookie',
  'host',
  'idempotency-key',
  'origin',
  'sec-fetch-site',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
]
