import { type DataStrategyResult, isRouteErrorResponse, type MiddlewareFunction, replace } from 'react-router'
import { ApiProblem } from './api-problem.ts'

interface CurrentPage {
  url: string
  onRevalidated: (isFailed: boolean) => void
}

let currentPage: CurrentPage | null = null
/** Set while the page is protected: called when a navigation failed and came back to it. */
let onNavigationFailed: (() => void) | null = null

/** A registered page stays as it is after a failed reading. @returns the cleanup */
export function registerPage(page: CurrentPage): () => void {
  currentPage = page
  return () => {
    currentPage = null
  }
}

/** Protects unsaved input: a navigation that fails to load returns to the page. @returns the cleanup */
export function protectPage(returned: () => void = () => undefined): () => void {
  onNavigationFailed = returned
  return () => {
    onNavigationFailed = null
  }
}

export function isFailedRevalidation(error: unknown, { url }: Request): boolean {
  return currentPage?.url === url && isUnavailable(error)
}

/** A network, proxy or server failure, or 429; not a refusal. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Response) return false
  const status = statusOf(error)
  return status < 400 || status >= 500 || status === 429
}

function statusOf(error: unknown): number {
  if (error instanceof ApiProblem) return error.problem.status
  return isRouteErrorResponse(error) ? error.status : 0
}

/**
 * Around the loaders of all pages in the browser: a reading that failed is taken out of the results, and React Router
 * goes on with what it has. Otherwise its error page would replace the page with all that was typed into it. A page that
 * is protected isn't left for one that could not be read.
 */
export const keepStaleData: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  const results = await next()
  if (request.method !== 'GET' || request.signal.aborted) return
  let isFailed = false
  let isReturned = false
  for (const [route, { type, result }] of Object.entries(results)) {
    if (type !== 'error') continue
    if (isFailedRevalidation(result, request)) {
      delete results[route]
      isFailed = true
    } else if (onNavigationFailed && currentPage && isUnavailable(result)) {
      const { pathname, search } = new URL(currentPage.url)
      results[route] = { type, result: replace(pathname + search) }
      isReturned = true
    }
  }
  currentPage?.onRevalidated(isFailed)
  if (isReturned) onNavigationFailed?.()
}
