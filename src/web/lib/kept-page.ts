import { type DataStrategyResult, isRouteErrorResponse, type MiddlewareFunction, replace } from 'react-router'
import { ApiProblem } from './api-problem.ts'

interface ShownPage {
  /** Its address, without a hash. */
  url: string
  /** Told after each reading whether the page stayed as it was because it could not be read. */
  onReading: (isMissed: boolean) => void
}

let shown: ShownPage | null = null
/** Whether nothing was read yet for what the page shows. */
let isUnread = false
/** Set while the page is protected: called when a navigation failed and came back to it. */
let onNavigationFailed: (() => void) | null = null

/** From now on the page is what a failed reading of its address leaves standing. @returns how to end that */
export function keepPage(page: ShownPage): () => void {
  shown = page
  return () => {
    shown = null
  }
}

/** While nothing was read there is nothing to keep: a failure is shown in its place. @returns how to end that */
export function holdUnread(): () => void {
  isUnread = true
  return () => {
    isUnread = false
  }
}

/**
 * While the page shows what the visitor must not lose, a navigation that can't be read comes back to it.
 *
 * @returns how to end that
 */
export function protectPage(returned: () => void = () => undefined): () => void {
  onNavigationFailed = returned
  return () => {
    onNavigationFailed = null
  }
}

/**
 * Whether a reading failed that was only to renew what is shown: for the network, a proxy or a server in trouble. A
 * refusal is an answer and stays one, except that of too many requests, which passes.
 */
export function isMissedRenewal(error: unknown, { url }: Request): boolean {
  return !isUnread && shown?.url === url && isUnreadable(error)
}

function isUnreadable(error: unknown): boolean {
  if (error instanceof Response) return false
  const status = statusOf(error)
  return status < 400 || status >= 500 || status === 429
}

function statusOf(error: unknown): number {
  if (error instanceof ApiProblem) return error.problem.status
  return isRouteErrorResponse(error) ? error.status : 0
}

/**
 * A failure that the page itself shows.
 *
 * @throws what is not for the page: a missed renewal, or a fault of the program
 */
export function failureToShow(error: unknown, request: Request): ApiProblem {
  if (!(error instanceof ApiProblem) || isMissedRenewal(error, request)) throw error
  return error
}

/**
 * Around the loaders of all pages in the browser: a reading that failed is taken out of the results, and React Router
 * goes on with what it has. Otherwise its error page would replace the page with all that was typed into it. A page that
 * is protected isn't left for one that could not be read.
 */
export const keepShownPage: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  const results = await next()
  if (request.method !== 'GET' || request.signal.aborted) return
  let isMissed = false
  let isReturned = false
  for (const [route, { type, result }] of Object.entries(results)) {
    if (type !== 'error') continue
    if (isMissedRenewal(result, request)) {
      delete results[route]
      isMissed = true
    } else if (onNavigationFailed && shown && isUnreadable(result)) {
      const { pathname, search } = new URL(shown.url)
      results[route] = { type, result: replace(pathname + search) }
      isReturned = true
    }
  }
  shown?.onReading(isMissed)
  if (isReturned) onNavigationFailed?.()
}
