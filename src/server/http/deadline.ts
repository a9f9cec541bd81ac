import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { timeout } from 'hono/timeout'
import { routeKey } from './body-limits.ts'
import type { AppEnv } from './context.ts'

/** No reading request takes longer: a database that stopped answering must not hold people. In milliseconds. */
const readingMs = 5_000
/** A slow phone may take its time to send a form; what follows is bounded by the limits of the database. */
const sendingMs = 30_000
/** Files of many megabytes may be sent over a slow line, and are read before the answer. */
export const uploadMs = 600_000
/** A hundred thousand records are changed in one transaction. */
const selectionMs = 120_000
/** Two servers of somebody else's are asked, each of which may take its time. */
const mailServerMs = 90_000

/** The routes that may take longer, in milliseconds. */
const longer = new Map([
  ['POST /api/imports', uploadMs],
  ['POST /api/mail/recipients/file', uploadMs],
  ['POST /api/announcements', uploadMs],
  ['PATCH /api/announcements/:id', uploadMs],
  ['POST /api/slides', uploadMs],
  ['PATCH /api/slides/:id', uploadMs],
  ['POST /api/org-chart/nodes', uploadMs],
  ['PATCH /api/org-chart/nodes/:id', uploadMs],
  ['POST /api/students/archive', selectionMs],
  ['POST /api/students/unarchive', selectionMs],
  ['POST /api/imports/:id/undo', selectionMs],
  ['POST /api/update-email-config', mailServerMs],
  ['POST /api/mail/server-test', mailServerMs],
])

/**
 * Ends a request with `unavailable` when its time is up. A stream (events, export) only has to begin in time:
 * its answer is there before its content.
 */
export function deadline() {
  const late = () => new HTTPException(503, { message: 'deadline' })
  const ofReading = timeout(readingMs, late)
  const ofSending = timeout(sendingMs, late)
  const ofLonger = new Map([...longer].map(([route, ms]) => [route, timeout(ms, late)]))
  return createMiddleware<AppEnv>((c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return ofReading(c, next)
    return (ofLonger.get(routeKey(c.req.method, c.req.path)) ?? ofSending)(c, next)
  })
}
