import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, expect, test } from 'vitest'
import { createLog } from '#server/lib/log.ts'
import type { AppEnv } from './context.ts'
import { clientAddress, requestId, requestLog } from './middleware.ts'

let close: () => void = () => undefined

afterEach(() => close())

const quiet = createLog('info', new PassThrough())

async function addressOf(trustProxy: boolean, forwardedFor?: string, log = quiet): Promise<string> {
  const app = new Hono<AppEnv>()
    .use(clientAddress({ proxy: { isTrusted: trustProxy, isIgnored: false }, log }))
    .get('/', (c) => c.text(c.get('clientAddress')))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  close = () => void server.close()
  await new Promise((resolve) => server.once('listening', resolve))
  // A TCP server's address is an object; the text form is a pipe's.
  const { port } = server.address() as AddressInfo
  const headers = new Headers(forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor })
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).text()
}

test('without a proxy the connection counts, not the header', async () => {
  expect(await addressOf(false)).toBe('127.0.0.1')
  expect(await addressOf(false, '203.0.113.7')).toBe('127.0.0.1')
})

test('a header that is ignored is reported once, without the address in it', async () => {
  const lines = new PassThrough()
  await addressOf(false, '203.0.113.7', createLog('info', lines))
  const line = String(lines.read())
  expect(line).toContain('TRUST_PROXY is off')
  expect(line).not.toContain('203.0.113.7')
})

test('behind a proxy its header counts', async () => {
  expect(await addressOf(true, '203.0.113.7')).toBe('203.0.113.7')
})

test('of several entries the last one counts: the proxy wrote it', async () => {
  expect(await addressOf(true, '10.0.0.1, 198.51.100.4 , 203.0.113.7')).toBe('203.0.113.7')
})

test('behind a proxy that sends no header, or an empty one, the connection counts', async () => {
  expect(await addressOf(true)).toBe('127.0.0.1')
  expect(await addressOf(true, '10.0.0.1,')).toBe('127.0.0.1')
})

test('a line names the route that answered, and nothing that a person typed', async () => {
  const lines = new PassThrough()
  const students = new Hono<AppEnv>().get('/students/:id', (c) => c.text('found'))
  const app = new Hono<AppEnv>()
    .use(requestId, requestLog(createLog('info', lines)))
    .route('/api', students)
    .all('*', (c) => c.text('a page'))

  await app.request('/api/students/typed-id?search=Dela+Cruz')
  const line = String(lines.read())
  expect(JSON.parse(line)).toMatchObject({ method: 'GET', route: '/api/students/:id', status: 200 })
  expect(line).not.toMatch(/typed-id|Cruz/)

  await app.request('/register')
  expect(JSON.parse(String(lines.read()))).toMatchObject({ route: '/*' })
})
