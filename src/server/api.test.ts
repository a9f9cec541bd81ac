import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MadeApiToken } from '#shared/auth/api-tokens.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// Calls without authentication. A new public call must be added here.
const publicOperations = [
  'GET /health',
  'GET /ready',
  'GET /events',
  'GET /session',
  'POST /session',
  // Signing out without a session is no error.
  'DELETE /session',
  'POST /session/device',
  'POST /registrations',
  'POST /script-errors',
  'GET /registrations/offer',
  'GET /registrations/receipt',
  'GET /places',
  'GET /site',
  'GET /site/texts',
  'GET /files/{name}',
  // Visitors get public items; all=true needs a session, which the features' tests cover.
  'GET /announcements',
  'GET /announcements/upcoming',
  'GET /announcements/{id}',
  'GET /slides',
  'GET /org-chart',
  // Opened by the sealed link of a mail.
  'GET /mail/opt-out',
  'POST /mail/opt-out',
  'GET /verify/{code}',
  // How a student gets in, which needs no session yet.
  'GET /my/session',
  'POST /my/session',
  'POST /my/session/slip',
  'DELETE /my/session',
  'POST /my/lost-code',
]

const tokenOperations = [
  'POST /send-email',
  'POST /send-bulk-emails',
  'GET /status',
  'GET /emailService/status',
  'POST /emailService/send-welcome-email',
]

interface Operation {
  security?: Record<string, string[]>[]
  'x-permission': string
  servers?: { url: string }[]
}

let server: TestServer
let operations: Map<string, Operation>
let schemas: Record<string, { type?: string | string[] }>

beforeAll(async () => {
  server = await startTestServer()
  const description = await (await fetch(`${server.url}/api/openapi.json`)).json()
  const { paths }: { paths: Record<string, Record<string, Operation>> } = description
  schemas = description.components.schemas
  operations = new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  )
})
afterAll(() => server.close())

async function call(name: string, headers: Record<string, string> = {}): Promise<number> {
  const [method = '', path = ''] = name.split(' ')
  const base = operations.get(name)?.servers?.[0]?.url === '/' ? '' : '/api'
  const address = path.replace(/\{\w+\}/g, '0198f4b2-0000-7000-8000-000000000000')
  const response = await fetch(`${server.url}${base}${address}`, { method, headers })
  await response.body?.cancel()
  return response.status
}

const namesBut = (...excluded: string[][]) =>
  [...operations.keys()].filter((name) => !excluded.flat().includes(name))

test('public operations and operations for tokens are described', () => {
  expect([...operations.keys()]).toEqual(expect.arrayContaining([...publicOperations, ...tokenOperations]))
})

test('a schema with a name is never null, only a member that refers to it', () => {
  const nullable = Object.entries(schemas).filter(([, { type = [] }]) => type.includes('null'))
  expect(nullable.map(([name]) => name)).toEqual([])
})

test('every other operation is refused without a session, and its description names its security', async () => {
  // Of the form of a token, and no one's.
  const token = { Authorization: `Bearer nstp_${'a'.repeat(43)}` }
  for (const name of namesBut(publicOperations)) {
    expect([name, await call(name), await call(name, token)]).toEqual([name, 401, 401])
    // Before anything is said of what was sent.
    expect([name, await call(name, { 'Content-Type': 'text/plain' })]).toEqual([name, 401])
    const operation = operations.get(name)
    const opens = operation?.security?.flatMap((way) => Object.keys(way))
    const ways = operation?.['x-permission'] === 'student' ? ['student'] : ['session']
    expect([name, opens]).toEqual([name, tokenOperations.includes(name) ? ['session', 'bearer'] : ways])
  }
})

test('a token is accepted by the operations for tokens and by no other', async () => {
  const admin = createAdminClient(server, await server.signIn())
  const { token }: MadeApiToken = await (await admin.call('POST', '/tokens', { name: 'Library' })).json()
  const headers = { Authorization: `Bearer ${token}` }
  for (const name of tokenOperations) expect([name, await call(name, headers)]).not.toEqual([name, 401])
  for (const name of namesBut(publicOperations, tokenOperations)) {
    expect([name, await call(name, headers)]).toEqual([name, 401])
  }
})
