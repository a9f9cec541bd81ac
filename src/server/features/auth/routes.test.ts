import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const right = { email: adminEmail, password: adminPassword }
const user = {
  id: expect.any(String),
  displayName: 'Administrator',
  email: adminEmail,
  isAdmin: true,
  role: 'administrator',
  components: [],
  classes: ['roll', 'basic', 'contact', 'family', 'sensitive'],
}

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('signInFailures').execute()
})

function post(body: unknown, { headers = {}, url = server.url }: { headers?: object; url?: string } = {}) {
  return fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function readSession(cookie?: string, url = server.url) {
  const response = await fetch(`${url}/api/session`, { headers: cookie ? { Cookie: cookie } : {} })
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toContain('no-store')
  return response.json()
}

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.replace(/=[\w-]{43};/, '=<token>;'))

describe('GET /api/session', () => {
  test('without a session gives the address for the login form, and no error', async () => {
    expect(await readSession()).toEqual({ user: null, adminEmail: '' })
  })

  test('gives the signed-in administrator', async () => {
    expect(await readSession(await server.signIn())).toEqual({ user, adminEmail })
  })

  test('an invalid token is no session', async () => {
    expect(await readSession(`nstp-session=${'x'.repeat(43)}`)).toEqual({ user: null, adminEmail: '' })
    expect(await readSession('nstp-session=%00%ff')).toEqual({ user: null, adminEmail: '' })
  })
})

describe('POST /api/session', () => {
  test('signs in', async () => {
    const response = await post(right)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toEqual({ user })
    expect(cookiesOf(response)).toEqual([
      'nstp-session=<token>; Path=/; HttpOnly; SameSite=Lax',
      'nstp-device=<token>; Max-Age=15552000; Path=/; HttpOnly; SameSite=Lax',
    ])
  })

  test('keeps signed in where that is wanted: the cookie outlives the browser, also after a new password', async () => {
    const response = await post({ ...right, keepSignedIn: true })
    expect(cookiesOf(response)[0]).toBe(
      'nstp-session=<token>; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    )
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const call = async (path: string, as: string, init: RequestInit = {}) => {
      const headers = { 'Content-Type': 'application/json', Cookie: as }
      return await fetch(`${server.url}/api/session${path}`, { ...init, headers })
    }
    const { items } = await (await call('/devices', cookie)).json()
    expect(items.filter(({ isKept }: { isKept: boolean }) => isKept)).toMatchObject([{ isCurrent: true }])

    const another = await post({ ...right, keepSignedIn: true })
    const other = another.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const newPassword = 'my tricycle broke down in Marikina'
    const change = (as: string, currentPassword: string, to: string) =>
      call('/password', as, { method: 'PUT', body: JSON.stringify({ currentPassword, newPassword: to }) })
    const changed = await change(cookie, adminPassword, newPassword)
    expect(cookiesOf(changed)).toEqual([
      'nstp-session=<token>; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect((await call('/devices', other)).status).toBe(401)
    const renewed = changed.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await change(renewed, newPassword, adminPassword)).status).toBe(204)
  })

  test('accepts the address with spaces around it and in capitals', async () => {
    const response = await post({ ...right, email: ` ${adminEmail.toUpperCase()} ` })
    expect(response.status).toBe(200)
  })

  test.each([
    ['a wrong password', { ...right, password: 'a wrong pass phrase' }],
    ['a password with a space too many', { ...right, password: `${adminPassword} ` }],
    ['an unknown address', { ...right, email: 'nobody@school.example' }],
    ['no address at all', { ...right, email: 'nobody' }],
    ['an address that PostgreSQL refuses', { ...right, email: 'nul\0@school.example' }],
  ])('%s is refused with the same message', async (_, body) => {
    const response = await post(body)
    expect(response.status).toBe(401)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.headers.getSetCookie()).toEqual([])
    const { requestId, ...problem } = await response.json()
    expect(problem).toEqual({
      title: 'Not signed in',
      status: 401,
      detail: 'Invalid email or password',
      code: 'unauthenticated',
    })
  })

  const emailMissing = { path: 'email', message: 'Please fill in the email field.' }
  const passwordMissing = { path: 'password', message: 'Please fill in the password field.' }

  test.each([
    ['both fields blank', { email: ' ', password: '' }, [emailMissing, passwordMissing]],
    ['both fields missing', {}, [emailMissing, passwordMissing]],
    ['a blank address', { ...right, email: '' }, [emailMissing]],
    ['a blank password', { ...right, password: '' }, [passwordMissing]],
    ['a password that is no text', { ...right, password: 12 }, [passwordMissing]],
    [
      'an endless address',
      { ...right, email: 'a'.repeat(255) },
      [{ path: 'email', message: 'Please shorten the email to 254 characters or fewer.' }],
    ],
    [
      'an endless password',
      { ...right, password: 'a'.repeat(1001) },
      [{ path: 'password', message: 'Please shorten the password to 1000 characters or fewer.' }],
    ],
  ])('%s is reported at the field', async (_, body, errors) => {
    const response = await post(body)
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ code: 'invalid', detail: errors[0]?.message, errors })
  })

  test.each(['', '{', 'null', '[]', '"text"'])('the body %j is refused', async (body) => {
    const response = await post(body)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded'])(
    'a body sent as %s, as a form of another site could, is not read',
    async (contentType) => {
      const response = await post(right, { headers: { 'Content-Type': contentType } })
      expect(response.status).toBe(415)
      expect(await response.json()).toMatchObject({ code: 'unsupported_media_type' })
      expect(response.headers.getSetCookie()).toEqual([])
    },
  )

  test('a cross-site request is refused', async () => {
    const response = await post(right, { headers: { Origin: 'https://elsewhere.example' } })
    expect(response.status).toBe(403)
  })

  test('after five failures the sixth is refused', async () => {
    for (let i = 0; i < 5; i++) expect((await post({ ...right, password: 'wrong' })).status).toBe(401)
    const response = await post(right)
    expect(response.status).toBe(429)
    const seconds = Number(response.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(25)
    expect(seconds).toBeLessThanOrEqual(30)
    expect(await response.json()).toMatchObject({
      code: 'too_many_requests',
      detail: `Too many failed attempts. Please try again in ${seconds} seconds.`,
    })
  })

  test('a browser that signed in before is not blocked by the failures of others', async () => {
    const cookies = await server.signIn()
    for (let i = 0; i < 6; i++) await post({ ...right, password: 'wrong' })
    expect((await post(right)).status).toBe(429)
    const device = cookies.split('; ').find((cookie) => cookie.startsWith('nstp-device=')) ?? ''
    expect((await post(right, { headers: { Cookie: device } })).status).toBe(200)
  })

  test('of fifty concurrent guesses at two processes five are answered', async () => {
    const other = await startTestServer({ database: server.database })
    const guesses = Array.from({ length: 50 }, (_, i) =>
      post({ ...right, password: `guess ${i}` }, { url: i % 2 ? server.url : other.url }),
    )
    const statuses = (await Promise.all(guesses)).map((response) => response.status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
    await other.close()
  })
})

describe('DELETE /api/session', () => {
  const signOut = (cookie?: string) =>
    fetch(`${server.url}/api/session`, { method: 'DELETE', headers: cookie ? { Cookie: cookie } : {} })

  test('ends the session and clears its cookie, and the browser stays known', async () => {
    const cookie = await server.signIn()
    const response = await signOut(cookie)
    expect(response.status).toBe(204)
    expect(response.headers.getSetCookie()).toEqual([
      'nstp-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    ])
    expect(await readSession(cookie)).toEqual({ user: null, adminEmail })
  })

  test('without a session has no effect', async () => {
    expect((await signOut()).status).toBe(204)
    expect((await signOut('nstp-session=nonsense')).status).toBe(204)
  })
})

describe('over https', () => {
  const secureCookies = [
    '__Host-nstp-session=<token>; Path=/; HttpOnly; Secure; SameSite=Lax',
    '__Host-nstp-device=<token>; Max-Age=15552000; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]

  test('by PUBLIC_URL, cookies are secure and bound to the host', async () => {
    const secure = await startTestServer({
      database: server.database,
      env: { PUBLIC_URL: 'https://nstp.school.example' },
    })
    const response = await post(right, { url: secure.url })
    expect(cookiesOf(response)).toEqual(secureCookies)
    const [cookie = ''] = response.headers.getSetCookie().map((line) => line.split(';')[0])
    expect(await readSession(cookie, secure.url)).toEqual({ user, adminEmail: '' })
    // The same token under the plain name could have been planted by a neighbouring host.
    expect(await readSession(cookie.replace('__Host-', ''), secure.url)).toEqual({
      user: null,
      adminEmail: '',
    })
    await secure.close()
  })

  test("also by a trusted proxy's header", async () => {
    const behindProxy = await startTestServer({ database: server.database, env: { TRUST_PROXY: 'on' } })
    const headers = { 'X-Forwarded-Proto': 'https' }
    const response = await post(right, { url: behindProxy.url, headers })
    expect(cookiesOf(response)).toEqual(secureCookies)
    const [cookie = ''] = response.headers.getSetCookie().map((line) => line.split(';')[0])
    expect(await readSession(cookie, behindProxy.url)).toEqual({ user, adminEmail: '' })
    expect(cookiesOf(await post(right, { headers }))[0]).toMatch(/^nstp-session=/)
    await behindProxy.close()
  })
})
