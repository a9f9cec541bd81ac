import { PassThrough } from 'node:stream'
import { Hono } from 'hono'
import { requestId } from 'hono/request-id'
import { expect, test } from 'vitest'
import { createLog } from '#server/lib/log.ts'
import type { AppEnv } from './context.ts'
import { requestLog } from './request-log.ts'

test('a line names the route that answered, and nothing that a person typed', async () => {
  const lines = new PassThrough()
  const students = new Hono<AppEnv>().get('/students/:id', (c) => c.text('found'))
  const app = new Hono<AppEnv>()
    .use(requestId(), requestLog(createLog('info', lines)))
    .route('/api', students)
    .all('*', (c) => c.text('a page'))

  await app.request('/api/students/4711?search=Dela+Cruz')
  const line = String(lines.read())
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', route: '/api/students/:id', status: 200 })
  expect(line).not.toMatch(/4711|Cruz/)

  await app.request('/register')
  expect(JSON.parse(String(lines.read()))).toMatchObject({ route: '/*' })
})
