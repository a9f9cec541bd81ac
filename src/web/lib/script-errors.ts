import { type ScriptError, scriptErrorLimits } from '#shared/script-error.ts'

declare global {
  interface Window {
    /** What failed before this module came (page-scripts.tsx). */
    failedScripts?: unknown[]
  }
}

// The most reports of one page. A script that fails at each key is reported once.
const mostReports = 5
const reported = new Set<string>()

/**
 * Tells the server's log of a script of ours that failed. Extensions' scripts, lost connections and requests that were
 * given up are no failures of ours.
 */
export function reportScriptError(error: unknown): void {
  if (typeof window === 'undefined' || !(error instanceof Error) || isConnectionFailure(error)) return
  const place = placeOf(error.stack ?? '', window.location.origin)
  if (!place) return
  const name = scriptErrorLimits.name.test(error.name) ? error.name : 'Error'
  const report: ScriptError = { name, ...place, route: routeOf(window.location.pathname) }
  const key = JSON.stringify(report)
  if (reported.has(key) || reported.size >= mostReports) return
  reported.add(key)
  // Plain `fetch`: the API's client may be what failed.
  void fetch('/api/script-errors', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: key,
    keepalive: true,
  }).catch(() => undefined)
}

/** A lost connection, a script of a version that was replaced, or a request that was given up. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return true
  // Chrome's, Firefox's, Safari's, Node's.
  return (
    error instanceof TypeError &&
    /^(Failed to fetch|error loading dynamically|Importing a module|NetworkError|Load failed|fetch failed)/.test(
      error.message,
    )
  )
}

/** The first script of a stack, if it is ours. */
export function placeOf(
  stack: string,
  origin: string,
): Pick<ScriptError, 'script' | 'line' | 'column'> | null {
  // The pattern also matches scripts of extensions: chrome-extension:, moz-extension:, safari-web-extension:.
  const [, address = '', line, column] = /([a-z-]+:\/\/[^\s()]+?):(\d+):(\d+)\)?$/m.exec(stack) ?? []
  if (!address.startsWith(`${origin}/`)) return null
  const path = address.slice(origin.length)
  // The page's own address may carry values.
  const script = path.endsWith('.js') && scriptErrorLimits.script.test(path) ? path : ''
  return { script, line: Number(line), column: Number(column) }
}

/** The pattern of an address, from the addresses of the build: it has the names of the parameters, not their values. */
function routeOf(pathname: string): string {
  const routes = Object.values(window.__reactRouterManifest?.routes ?? {})
  const pattern = routes
    .flatMap((route) => (route?.path && route.path !== '*' ? [route.path] : []))
    .find((path) =>
      new RegExp(`^/${path.replace(/\/:\w+\?/g, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}/?$`).test(pathname),
    )
  return pattern === undefined ? '/' : `/${pattern}`
}

/** Call this once for each page. */
export function watchScriptErrors(): void {
  window.addEventListener('error', ({ error }) => reportScriptError(error))
  window.addEventListener('unhandledrejection', ({ reason }) => reportScriptError(reason))
  for (const error of window.failedScripts ?? []) reportScriptError(error)
}

/** The page's scripts run: from here on it isn't the plain page any more. */
export function noteLive(): void {
  const { dataset } = document.documentElement
  dataset.live = ''
  delete dataset.plain
}

export function isLive(): boolean {
  return 'live' in document.documentElement.dataset
}

/** Whether a script of ours failed; not a refusal, a lost connection or a failure of the server. */
export function isScriptError(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name !== 'ApiProblem' &&
    // React Router's, of any failure on the server.
    error.message !== 'Unexpected Server Error' &&
    !isConnectionFailure(error)
  )
}
