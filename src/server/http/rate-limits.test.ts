import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from './context.ts'
import { handleError } from './problem.ts'
import { rateLimit } from './rate-limits.ts'

function appWithLimit(points: number) {
  const app = new Hono<AppEnv>().onError(handleError)
  app.use(async (c, next) => {
    c.set('clientAddress', c.req.header('X-Test-Address') ?? 'nobody')
    await next()
  })
  app.use(rateLimit({ points, duration: 60 }))
  return app.get('/', (c) => c.text('in'))
}

test('an address is served up to its limit and then told when to come back', async () => {
  const app = appWithLimit(2)
  expect((await app.request('/')).status).toBe(200)
  expect((await app.request('/')).status).toBe(200)
  const refused = await app.request('/')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    code: 'too_many_requests',
    detail: 'Too many requests. Please wait a moment and try again.',
  })
})

test("one address's flood doesn't stop another", async () => {
  const app = appWithLimit(1)
  await app.request('/')
  expect((await app.request('/')).status).toBe(429)
  expect((await app.request('/', { headers: { 'X-Test-Address': 'another' } })).status).toBe(200)
})
