import type { Context } from 'hono'
import { html } from 'hono/html'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { toAppError } from '#server/database/errors.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Problem, ProblemCode } from '#shared/problem.ts'
import type { AppEnv } from './context.ts'
import { limitsOf } from './limits.ts'

export const problemKinds: Record<ProblemCode, { status: ContentfulStatusCode; title: string }> = {
  invalid: { status: 422, title: 'Invalid input' },
  unauthenticated: { status: 401, title: 'Not signed in' },
  permission_denied: { status: 403, title: 'Permission denied' },
  proof_needed: { status: 403, title: 'Password needed' },
  challenge_needed: { status: 403, title: 'Proof of work needed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  too_slow: { status: 408, title: 'Too slow' },
  too_big: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Not available' },
  maxretry: { status: 503, title: 'Too many retries' },
  not_sent: { status: 502, title: 'Not sent' },
  internal: { status: 500, title: 'Internal error' },
}

function sendProblem(c: Context<AppEnv>, error: AppError): Response | Promise<Response> {
  const { status, title } = problemKinds[error.code]
  const problem: Problem = {
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId: c.var.requestId,
    ...(error.errors ? { errors: error.errors } : {}),
    ...(error.mail ? { mail: error.mail } : {}),
    ...(error.challenge ? { challenge: error.challenge } : {}),
    // The e-mail calls (product 27.2).
    ...(limitsOf(c)?.failure ? { success: false, message: error.message } : {}),
  }
  if (error.retryAfter !== undefined) c.header('Retry-After', String(error.retryAfter))
  c.header('Cache-Control', 'no-store')
  // The rest of the body isn't awaited, so the connection closes.
  if (status === 408) c.header('Connection', 'close')
  if (wantsPage(c)) return c.html(problemPage(problem, c.get('secureHeadersNonce') ?? ''), status)
  return c.body(JSON.stringify(problem), status, { 'Content-Type': 'application/problem+json' })
}

function wantsPage(c: Context<AppEnv>): boolean {
  return (
    !/^\/(api|emailService)(\/|$)/.test(c.req.path) &&
    (c.req.header('Accept')?.includes('text/html') ?? false)
  )
}

export function handleError(error: Error, c: Context<AppEnv>): Response | Promise<Response> {
  const clientError = clientErrorOf(error)
  if (clientError) {
    // A caller's error isn't logged as a fault; the server's is. A mail server's reply may quote
    // an address: it is stored in the outbox only.
    const isOfServer = problemKinds[clientError.code].status >= 500 && clientError.code !== 'not_sent'
    if (isOfServer && !isFullQueue(clientError))
      c.var.log.warn({ requestId: c.var.requestId, err: clientError }, clientError.code)
    return sendProblem(c, clientError)
  }
  c.var.log.error({ requestId: c.var.requestId, err: error }, 'unexpected error')
  const detail = limitsOf(c)?.failure
  return sendProblem(c, new AppError('internal', { ...(detail ? { detail } : {}), cause: error }))
}

// A flood must not fill the log.
function isFullQueue({ retryAfter, cause }: AppError): boolean {
  return retryAfter !== undefined && cause === undefined
}

function clientErrorOf(error: Error): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof HTTPException) return fromHttpException(error)
  return toAppError(error)
}

// Hono and its middleware throw statuses: a malformed body (400), a wrong media type (415).
function fromHttpException(error: HTTPException): AppError | undefined {
  if (error.status === 400 || error.status === 415) {
    return new AppError('invalid', 'The request could not be read. Please check its format.')
  }
  if (error.status === 408) return new AppError('too_slow')
  if (error.status === 413) return new AppError('too_big')
  if (error.status === 503) return new AppError('unavailable', { cause: error })
  return undefined
}

/**
 * A problem as a page, for a browser refused before any page was made: too many requests, another origin, a time-out.
 * It has a link back, because browsers then restore the form's values.
 * @param nonce of the response's Content-Security-Policy
 */
function problemPage({ title, detail }: Problem, nonce: string) {
  return html`<!doctype html>
<html lang="en-PH">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · NSTP Portal</title>
<style nonce="${nonce}">
body { max-width: 34rem; margin: 15vh auto; padding: 0 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif; color: #14231c; background: #f5f7f5 }
a { color: #17533d; font-weight: 600 }
@media (prefers-color-scheme: dark) { body { color: #e8efeb; background: #0e1713 } a { color: #8fd3b3 } }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${detail}</p>
<p>Go back in your browser to keep what you typed, or <a href="/">go to the home page</a>.</p>
</main>
</body>
</html>`
}
