import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { codeMessages, passwordMessages } from '#shared/auth/account.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const newPassword = 'my tricycle broke down in Marikina'
const unknownId = '01990000-0000-4000-8000-000000000000'
const now = new Date('2026-08-03T08:00:00+08:00')

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer({ now })
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const table of ['signInFailures', 'sessions', 'secondFactors'] as const) {
    await server.database.db.deleteFrom(table).execute()
  }
  cookie = await server.signIn()
})

interface Call {
  method?: string
  body?: unknown
  as?: string | null
}

function call(path: string, { method = 'GET', body, as = cookie }: Call = {}) {
  return fetch(`${server.url}/api/session${path}`, {
    method,
    headers: {
      ...(as ? { Cookie: as } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const withPassword = { method: 'POST', body: { password: adminPassword } }

test.each([
  ['PUT', '/password', { currentPassword: adminPassword, newPassword }],
  ['GET', '/devices', undefined],
  ['DELETE', '/devices', undefined],
  ['DELETE', `/devices/${unknownId}`, undefined],
  ['GET', '/two-factor', undefined],
  ['POST', '/two-factor/set-up', withPassword.body],
  ['POST', '/two-factor', { code: '123456' }],
  ['POST', '/two-factor/off', withPassword.body],
  ['POST', '/two-factor/recovery-codes', withPassword.body],
])('%s /api/session%s is refused without a session', async (method, path, body) => {
  const response = await call(path, { method, body, as: null })
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({
    code: 'unauthenticated',
    detail: 'Authentication required. Please login as admin.',
  })
})

test('a sign-in is in the audit trail, with its account, address and time', async () => {
  const trail = createAuditTrail(server.database)
  const before = (await trail.of('signed-in')).length
  await server.signIn()
  const [added, ...others] = (await trail.of('signed-in')).slice(before)
  expect(others).toEqual([])
  expect(added).toMatchObject({ actor: adminEmail, clientAddress: '127.0.0.1', at: now })
})

test('a refused request is in the audit trail with the pattern of its path', async () => {
  const ofOwn = await startTestServer({ now, database: server.database })
  const trail = createAuditTrail(server.database)
  const before = (await trail.of('access-refused')).length
  const id = '01990000-0000-4000-8000-000000000001'
  await fetch(`${ofOwn.url}/api/students/${id}?search=Dela+Cruz`)
  const registrar = await createStaffClient(ofOwn, { role: 'registrar', components: [] })
  expect((await registrar.call('GET', `/papers/${id}?search=Dela+Cruz`)).status).toBe(403)
  // The first of this minute is an entry, and the others are the next.
  await ofOwn.close()
  expect((await trail.of('access-refused')).slice(before)).toMatchObject([
    { actor: '', affected: 1, detail: { path: '/api/students/:id' } },
    { actor: registrar.email, affected: 1, detail: { path: '/api/papers/:id' } },
  ])
})

describe('PUT /api/session/password', () => {
  const change = (body: unknown) => call('/password', { method: 'PUT', body })

  test("changes the password and renews this session's token", async () => {
    const response = await change({ currentPassword: adminPassword, newPassword })
    expect(response.status).toBe(204)
    const [session = '', ...others] = response.headers.getSetCookie()
    expect(session).toMatch(/^nstp-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(others).toEqual([])
    expect((await call('/devices')).status).toBe(401)
    cookie = [
      session.split(';')[0],
      ...cookie.split('; ').filter((one) => one.startsWith('nstp-device')),
    ].join('; ')
    expect((await call('/devices')).status).toBe(200)
    expect((await change({ currentPassword: newPassword, newPassword: adminPassword })).status).toBe(204)
  })

  test.each([
    [{ newPassword }, 'currentPassword', passwordMessages.currentRequired],
    [{}, 'newPassword', passwordMessages.newRequired],
    [{ currentPassword: adminPassword, newPassword: '' }, 'newPassword', passwordMessages.newRequired],
    [{ currentPassword: adminPassword, newPassword: 'too short' }, 'newPassword', passwordMessages.tooShort],
    [
      { currentPassword: adminPassword, newPassword: 'a'.repeat(1001) },
      'newPassword',
      passwordMessages.tooLong,
    ],
    [
      { currentPassword: adminPassword, newPassword: 'passwordpassword' },
      'newPassword',
      passwordMessages.guessable,
    ],
    [{ currentPassword: 'wrong', newPassword }, 'currentPassword', passwordMessages.currentWrong],
  ])('%j is reported at its field', async (body, path, message) => {
    const response = await change(body)
    expect(response.status).toBe(422)
    const problem = await response.json()
    expect(problem).toMatchObject({ code: 'invalid', detail: message })
    expect(problem.errors[0]).toEqual({ path, message })
  })

  test("refuses the school's, the system's and one's own names and address", async () => {
    const own = await startTestServer({ now })
    onTestFinished(() => own.close())
    const admin = createAdminClient(own, await own.signIn())
    const match = { 'If-Match': (await admin.call('GET', '/settings')).headers.get('ETag') ?? '' }
    const names = { systemName: 'Kwyjibo', schoolName: 'Brzeczyszczyk Academy' }
    expect((await admin.call('PATCH', '/settings', names, match)).status).toBe(200)
    const person = { email: 'gwyneth.vosloo@xylem.example', displayName: 'Quirijn Zwolle' }
    await own.database.db.updateTable('admins').set(person).execute()
    const answerTo = async (word: string) => {
      const body = { currentPassword: adminPassword, newPassword: `${word} ${word} 2026!` }
      const answer = await admin.call('PUT', '/session/password', body)
      return [word, answer.status, answer.ok ? null : (await answer.json()).detail]
    }
    for (const word of ['Kwyjibo', 'Brzeczyszczyk', 'Gwyneth', 'Vosloo', 'Xylem', 'Quirijn', 'Zwolle']) {
      expect(await answerTo(word)).toEqual([word, 422, passwordMessages.guessable])
    }
    // Another one as long is taken.
    const taken = { currentPassword: adminPassword, newPassword: 'Jwmbylo Jwmbylo 2026!' }
    expect((await admin.call('PUT', '/session/password', taken)).status).toBe(204)
  })
})

describe('/api/session/devices', () => {
  test('lists the devices without any token', async () => {
    await server.signIn()
    const response = await call('/devices')
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    const { items } = await response.json()
    expect(items).toHaveLength(2)
    expect(items[0]).toEqual({
      id: expect.any(String),
      browser: '',
      system: '',
      signedInAt: now.toISOString(),
      lastUsedAt: now.toISOString(),
      clientAddress: '127.0.0.1',
      isCurrent: true,
      isKept: false,
    })
  })

  test('signs one device out', async () => {
    const other = await server.signIn()
    const { items } = await (await call('/devices')).json()
    const response = await call(`/devices/${items[1].id}`, { method: 'DELETE' })
    expect(response.status).toBe(204)
    expect((await call('/devices', { as: other })).status).toBe(401)
    expect((await call('/devices')).status).toBe(200)
  })

  test('an unknown or invalid id is not found', async () => {
    const response = await call(`/devices/${unknownId}`, { method: 'DELETE' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ detail: 'This device is no longer signed in.' })
    const bad = await call('/devices/1', { method: 'DELETE' })
    expect(bad.status).toBe(422)
    expect(await bad.json()).toMatchObject({ detail: 'Invalid device ID.' })
  })

  test('signs all other devices out', async () => {
    await server.signIn()
    const response = await call('/devices', { method: 'DELETE' })
    expect(await response.json()).toEqual({ count: 1 })
    expect((await (await call('/devices')).json()).items).toHaveLength(1)
  })
})

describe('/api/session/two-factor', () => {
  async function begin(): Promise<{ secret: string; uri: string; qrCode: string }> {
    return (await call('/two-factor/set-up', withPassword)).json()
  }
  const codeOf = (secret: string, seconds = 0) =>
    new TOTP({ secret }).generate({ timestamp: now.getTime() + seconds * 1000 })

  async function turnOn() {
    const { secret } = await begin()
    const response = await call('/two-factor', { method: 'POST', body: { code: codeOf(secret) } })
    expect(response.status).toBe(200)
    const { recoveryCodes } = await response.json()
    return { secret, recoveryCodes }
  }

  const signIn = (code?: string) =>
    call('', { method: 'POST', body: { email: adminEmail, password: adminPassword, code }, as: null })

  test('is off at first, then on with ten recovery codes', async () => {
    expect(await (await call('/two-factor')).json()).toEqual({
      isOn: false,
      isRequired: false,
      since: null,
      recoveryCodesLeft: 0,
    })
    const { recoveryCodes } = await turnOn()
    expect(recoveryCodes).toHaveLength(10)
    expect(await (await call('/two-factor')).json()).toEqual({
      isOn: true,
      isRequired: false,
      since: now.toISOString(),
      recoveryCodesLeft: 10,
    })
  })

  test('is required at sign-in, by code or recovery code', async () => {
    const { secret, recoveryCodes } = await turnOn()
    const codeRequired = await signIn()
    expect(codeRequired.status).toBe(401)
    expect(codeRequired.headers.getSetCookie()).toEqual([])
    expect(await codeRequired.json()).toMatchObject({
      code: 'unauthenticated',
      detail: 'Please enter the 6-digit code from your authenticator app.',
      errors: [{ path: 'code', message: 'Please enter the 6-digit code from your authenticator app.' }],
    })
    expect((await signIn(codeOf(secret, 30))).status).toBe(200)
    expect((await signIn(recoveryCodes[0])).status).toBe(200)
    const again = await signIn(recoveryCodes[0])
    expect(again.status).toBe(401)
    expect(await again.json()).toMatchObject({ detail: codeMessages.wrongRecovery })
  })

  test('a code that is no text or too long is reported at its field', async () => {
    const response = await call('', {
      method: 'POST',
      body: { email: adminEmail, password: adminPassword, code: '1'.repeat(65) },
      as: null,
    })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({
      errors: [{ path: 'code', message: 'Please enter the code as text, with at most 64 characters.' }],
    })
  })

  test.each(['/two-factor/set-up', '/two-factor/off', '/two-factor/recovery-codes'])(
    'POST %s asks the password',
    async (path) => {
      const missing = await call(path, { method: 'POST', body: {} })
      expect(missing.status).toBe(422)
      expect(await missing.json()).toMatchObject({
        errors: [{ path: 'password', message: passwordMessages.currentRequired }],
      })
      const wrong = await call(path, { method: 'POST', body: { password: 'wrong' } })
      expect(wrong.status).toBe(422)
      expect(await wrong.json()).toMatchObject({
        errors: [{ path: 'password', message: passwordMessages.currentWrong }],
      })
    },
  )

  test('a wrong code does not turn it on', async () => {
    await begin()
    const missing = await call('/two-factor', { method: 'POST', body: { code: ' ' } })
    expect(missing.status).toBe(422)
    expect(await missing.json()).toMatchObject({ errors: [{ path: 'code', message: codeMessages.required }] })
    const wrong = await call('/two-factor', { method: 'POST', body: { code: '000000' } })
    expect(wrong.status).toBe(422)
    expect(await wrong.json()).toMatchObject({
      errors: [{ path: 'code', message: codeMessages.wrongAtSetUp }],
    })
  })

  test('after ten wrong codes of a set-up even the right one is refused', async () => {
    const { secret } = await begin()
    const confirm = (code: string) => call('/two-factor', { method: 'POST', body: { code } })
    for (let i = 0; i < 10; i++) expect((await confirm('000000')).status).toBe(422)
    const paused = await confirm(codeOf(secret))
    expect([paused.status, paused.headers.get('Retry-After')]).toEqual([429, '30'])
    expect(await paused.json()).toMatchObject({
      code: 'too_many_requests',
      detail: 'Too many failed attempts. Please try again in 30 seconds.',
    })
    // The codes of a set-up don't count against the account: signing in still works.
    expect((await signIn()).status).toBe(200)
  })

  test('creates new recovery codes, and can be turned off', async () => {
    const { recoveryCodes } = await turnOn()
    const withCode = { method: 'POST', body: { password: adminPassword, code: recoveryCodes[0] } }
    const renewed = await call('/two-factor/recovery-codes', withCode)
    expect(renewed.status).toBe(200)
    const { recoveryCodes: fresh } = await renewed.json()
    expect(fresh).not.toEqual(recoveryCodes)
    const missing = await call('/two-factor/off', withPassword)
    expect([missing.status, (await missing.json()).detail]).toEqual([422, codeMessages.required])
    const off = { method: 'POST', body: { password: adminPassword, code: fresh[0] } }
    expect((await call('/two-factor/off', off)).status).toBe(204)
    expect((await signIn()).status).toBe(200)
    const again = await call('/two-factor/off', withPassword)
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ detail: codeMessages.alreadyOff })
  })

  test('guards the password: its change needs a code, and ends no other session without one', async () => {
    const { recoveryCodes } = await turnOn()
    const answer = await signIn(recoveryCodes[0])
    const other = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const change = (code?: string, to = newPassword, from = adminPassword) =>
      call('/password', { method: 'PUT', body: { currentPassword: from, newPassword: to, code } })

    const missing = await change()
    expect(missing.status).toBe(422)
    expect(await missing.json()).toMatchObject({ errors: [{ path: 'code', message: codeMessages.required }] })
    const wrong = await change('aaaa-bbbb-cccc-dddd')
    expect(await wrong.json()).toMatchObject({
      errors: [{ path: 'code', message: codeMessages.wrongRecovery }],
    })
    // A refused password uses no code up.
    expect((await change(recoveryCodes[1], adminPassword)).status).toBe(422)
    expect((await call('/devices', { as: other })).status).toBe(200)

    const changed = await change(recoveryCodes[1])
    expect(changed.status).toBe(204)
    expect((await call('/devices', { as: other })).status).toBe(401)
    cookie = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await change(recoveryCodes[2], adminPassword, newPassword)).status).toBe(204)
  })
})
