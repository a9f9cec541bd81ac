import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const mail = { to: 'juan@example.edu.ph', subject: 'Orientation', message: 'On Monday.' }
const notConfigured = {
  status: 503,
  code: 'unavailable',
  detail: 'Email service is not configured.',
}
const badToken = {
  status: 401,
  code: 'unauthenticated',
  detail: 'This API token is invalid or was revoked. Please create a new one in the system settings.',
}
const wellFormed = `nstp_${'x'.repeat(43)}`

let server: TestServer
let cookie: string
let trail: AuditTrail
let token: { id: string; token: string }

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
  trail = createAuditTrail(server.database)
  token = await make('Registrar')
})
afterAll(() => server.close())

const admin = () => createAdminClient(server, cookie)
const visitor = () => createAdminClient(server, '')
const bearer = (text: string) => ({ Authorization: `Bearer ${text}` })

async function make(name: string) {
  return await (await admin().call('POST', '/tokens', { name })).json()
}

test('an administrator and a token are let through', async () => {
  expect(await admin().refusal('POST', '/send-email', mail)).toEqual(notConfigured)
  expect(await visitor().refusal('POST', '/send-email', mail, bearer(token.token))).toEqual(notConfigured)
  // Authentication schemes are case-insensitive.
  const headers = { Authorization: `bearer   ${token.token}` }
  expect(await visitor().refusal('POST', '/send-email', mail, headers)).toEqual(notConfigured)
})

test('a request without either is refused with an instruction', async () => {
  const response = await visitor().call('POST', '/send-email', mail)
  expect(response.status).toBe(401)
  expect(response.headers.get('WWW-Authenticate')).toBe('Bearer realm="NSTP Portal e-mail"')
  expect(response.headers.get('Content-Type')).toBe('application/problem+json')
  const detail = 'Authentication required. Please login as admin.'
  expect(await response.json()).toMatchObject({
    code: 'unauthenticated',
    detail,
    success: false,
    message: detail,
  })
})

test.each([
  ['unknown', wellFormed],
  ['of another form', 'secret'],
  ['empty', ''],
])('a token that is %s is refused, even beside a session', async (_what, text) => {
  for (const client of [visitor(), admin()]) {
    expect(await client.refusal('POST', '/send-email', mail, bearer(text))).toEqual(badToken)
  }
  const response = await visitor().call('POST', '/send-email', mail, bearer(text))
  expect(response.headers.get('WWW-Authenticate')).toContain('error="invalid_token"')
})

test('a revoked token is refused at once', async () => {
  const other = await make('Library')
  expect(await visitor().refusal('POST', '/send-email', mail, bearer(other.token))).toEqual(notConfigured)
  await admin().call('DELETE', `/tokens/${other.id}`)
  expect(await visitor().refusal('POST', '/send-email', mail, bearer(other.token))).toEqual(badToken)
})

test('what shows a token passes from wherever it comes; with a cookie it does not', async () => {
  const elsewhere = { Origin: 'https://registrar.example', 'Sec-Fetch-Site': 'cross-site' }
  expect(
    await visitor().refusal('POST', '/send-email', mail, { ...elsewhere, ...bearer(token.token) }),
  ).toEqual(notConfigured)
  for (const headers of [elsewhere, { ...elsewhere, ...bearer(token.token) }]) {
    expect(await admin().refusal('POST', '/send-email', mail, headers)).toMatchObject({
      status: 403,
      code: 'permission_denied',
    })
  }
})

test('the use of a token is noted, once a minute', async () => {
  const { db } = server.database
  const noted = async () => {
    const found = await db.selectFrom('apiTokens').selectAll().where('id', '=', token.id).executeTakeFirst()
    return found?.lastUsedAt?.getTime()
  }
  const use = () => visitor().call('POST', '/send-email', mail, bearer(token.token))
  await db.updateTable('apiTokens').set({ lastUsedAt: null }).execute()
  await use()
  const first = await noted()
  expect(Date.now() - (first ?? 0)).toBeLessThan(30_000)
  await use()
  expect(await noted()).toBe(first)
  const before = new Date(Date.now() - 61_000)
  await db.updateTable('apiTokens').set({ lastUsedAt: before }).execute()
  await use()
  expect(await noted()).toBeGreaterThan(before.getTime())
})

test('the trail records the refused caller, and never the token', async () => {
  const refused = JSON.stringify(await trail.of('access-refused'))
  expect(refused).toContain('/api/send-email')
  expect(refused).not.toContain(wellFormed)
  expect(JSON.stringify(await trail.entries())).not.toContain(wellFormed)
})

test('bad tokens of one network are limited; another network is not affected', async () => {
  const other = await startTestServer({ env: { TRUST_PROXY: 'on' } })
  const guess = (from: string) =>
    createAdminClient(other, '').refusal('POST', '/send-email', mail, {
      ...bearer(wellFormed),
      'X-Forwarded-For': from,
    })
  const first = await Promise.all(Array.from({ length: 60 }, () => guess('203.0.113.7')))
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([401]))
  expect(await guess('203.0.113.7')).toEqual({
    status: 429,
    code: 'too_many_requests',
    detail: 'Too many requests with an invalid API token. Please wait a moment and try again.',
  })
  expect(await guess('203.0.113.8')).toEqual(badToken)
  await other.close()
})

test('the description names both security schemes', async () => {
  const { components, paths } = await (await fetch(`${server.url}/api/openapi.json`)).json()
  expect(components.securitySchemes.bearer).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(paths['/send-email'].post.security).toEqual([{ session: [] }, { bearer: [] }])
  expect(paths['/students'].get.security).toEqual([{ session: [] }])
})
