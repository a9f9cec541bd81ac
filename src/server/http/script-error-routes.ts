import { z } from '@hono/zod-openapi'
import { scriptErrorLimits } from '#shared/script-error.ts'
import { rateLimit } from './limits.ts'
import { createRouter, done, jsonBody, publicRoutes } from './router.ts'

// Nothing else: a message or an address may carry what a person typed.
const scriptError = z.strictObject({
  name: z.string().regex(scriptErrorLimits.name),
  script: z.string().regex(scriptErrorLimits.script),
  line: z.int().min(0).max(10_000_000),
  column: z.int().min(0).max(100_000_000),
  route: z.string().regex(scriptErrorLimits.route),
})

const report = publicRoutes('operations').post('/script-errors', 'Report that a script of a page failed', {
  description:
    'Of the pages themselves. Written to the log: the kind of error, the script with its line, and the pattern of the page’s address.',
  limits: { body: { maxBytes: 2048 } },
  body: jsonBody(scriptError, 'No text of the error, which may carry what somebody typed.'),
  responses: done('Written to the log.'),
  problems: ['too_many_requests'],
})

// A script that fails for everybody is told often enough by the first.
const limit = { points: 20, duration: 600 }

export function createScriptErrorRoutes() {
  const limiter = rateLimit(limit)
  return createRouter().openapi(report, async (c) => {
    await limiter.take(c)
    c.get('log').warn(c.req.valid('json'), 'a script of a page failed')
    return c.body(null, 204)
  })
}
