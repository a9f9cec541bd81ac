import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { timeout } from 'hono/timeout'
import { routeKey } from './body-limits.ts'
import type { AppEnv } from './context.ts'

// In ms. The limit of GET requests, also when the database doesn't answer.
const readMs = 5_000
// In ms. A slow phone needs time to send a form; the database has its own limits.
const sendMs = 30_000
// In ms. Files of many megabytes over a slow line.
export const uploadMs = 600_000
// In ms. 100,000 records are changed in one transaction.
const selectionMs = 120_000
// In ms. Two external servers are involved, each of which may be slow.
const mailServerMs = 90_000

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

/** Ends a request with `unavailable` after its time. A stream (events, export) must only begin in time. */
export function deadline() {
  const late = () => new HTTPException(503, { message: 'deadline' })
  const readTimeout = timeout(readMs, late)
  const sendTimeout = timeout(sendMs, late)
  const ofLonger = new Map([...longer].map(([route, ms]) => [route, timeout(ms, late)]))
  return createMiddleware<AppEnv>((c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return readTimeout(c, next)
    return (ofLonger.get(routeKey(c.req.method, c.req.path)) ?? sendTimeout)(c, next)
  })
}
