import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { baseOf, operationsOf, readDescription } from '#tests/setup/api-description.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const unknownId = '0198f4b2-0000-7000-8000-000000000000'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

function post(path: string, body: string, headers: Record<string, string> = {}) {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
}

describe('operations', () => {
  test('health and readiness answer', async () => {
    expect(await (await fetch(`${server.url}/api/health`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${server.url}/api/ready`)).json()).toEqual({ status: 'ready' })
  })

  test('the API describes itself, and its page loads nothing from elsewhere', async () => {
    const document = await (await fetch(`${server.url}/api/openapi.json`)).json()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/health',
        '/events',
        '/session',
        '/registrations',
        '/students',
        '/students/{id}',
      ]),
    )
    const page = await (await fetch(`${server.url}/api/docs`)).text()
    expect(page).not.toMatch(/<script|(src|href)="(https?:)?\/\//)
    for (const [path, operations] of Object.entries<Record<string, { summary: string }>>(document.paths)) {
      for (const [method, { summary }] of Object.entries(operations)) {
        const line = `<code>${method.toUpperCase()} ${path}</code> ${summary.replaceAll("'", '&#39;')}`
        expect([line, page.includes(line)]).toEqual([line, true])
      }
    }
    for (const name of Object.keys(document.components.schemas)) {
      expect([name, page.includes(`<details id="schema-${name}">`)]).toEqual([name, true])
    }
  })
})

test('the API describes itself to administrators only, unless everybody may read it', async () => {
  const closed = await startTestServer({ env: { API_DOCS: 'private' } })
  const cookie = await closed.signIn()
  for (const path of ['/api/openapi.json', '/api/docs']) {
    expect((await fetch(closed.url + path)).status).toBe(401)
    expect((await fetch(closed.url + path, { headers: { Cookie: cookie } })).status).toBe(200)
  }
  await closed.close()
})

describe('errors', () => {
  test.each([
    ['GET', '/api/nothing-here'],
    ['DELETE', '/api'],
    ['GET', '/api/students/x/y/z'],
    ['GET', '/emailService/unknown'],
    ['GET', '/emailService'],
    ['POST', '/emailService/status/more'],
    ['PUT', '/emailService/unknown'],
    ['OPTIONS', '/emailService/unknown'],
  ])('an unknown address of the API is a problem with a sentence: %s %s', async (method, path) => {
    // With a browser's Accept header, which gets a page for other problems.
    const answer = await fetch(server.url + path, { method, headers: { Accept: 'text/html' } })
    expect(answer.status).toBe(404)
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    expect(await answer.json()).toMatchObject({
      status: 404,
      code: 'not_found',
      detail: 'What you are looking for could not be found.',
      requestId: answer.headers.get('X-Request-Id'),
    })
  })

  test.each([
    ['PUT', '/api/announcements', 'GET, POST'],
    ['PATCH', '/api/site', 'GET'],
    ['POST', '/api/students/0198f4b2-0000-7000-8000-000000000000', 'GET, PATCH, DELETE'],
    ['GET', '/emailService/send-welcome-email', 'POST'],
    ['DELETE', '/emailService/status', 'GET'],
  ])('a known address names the methods it has: %s %s', async (method, path, allowed) => {
    const answer = await fetch(server.url + path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('Allow')).toBe(allowed)
    expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/xml; charset=utf-8', 415],
    ['Application/JSON; charset=utf-8', 422],
  ])('a body of the type %s is answered with %i', async (type, status) => {
    const answer = await post('/api/registrations', '{}', { 'Content-Type': type })
    expect(answer.status).toBe(status)
    if (status === 415) expect(answer.headers.get('Accept')).toBe('application/json')
  })

  test('a body that is no JSON is refused as invalid', async () => {
    const answer = await post('/api/registrations', '{"lastName": ')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      code: 'invalid',
      detail: 'The request could not be read. Please check its format.',
    })
  })

  test('a body over the limit is refused as too big', async () => {
    const answer = await post('/api/registrations', JSON.stringify({ lastName: 'x'.repeat(300_000) }))
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 'too_big', detail: 'The data you sent is too large.' })
  })
})

test('a request has an id of our own, whatever its sender calls it, also in the audit trail', async () => {
  const chosen = 'chosen-by-the-caller'
  const attempt = { email: 'nobody@school.example', password: 'a wrong pass phrase' }
  const answer = await post('/api/session', JSON.stringify(attempt), { 'X-Request-Id': chosen })
  expect(answer.status).toBe(401)
  const requestId = answer.headers.get('X-Request-Id')
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(await createAuditTrail(server.database).of('sign-in-refused')).toMatchObject([{ requestId }])
})

test('a body of unknown length is counted while it arrives', async () => {
  const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
  let sent = 0
  const body = new ReadableStream({
    pull(controller) {
      sent += 1
      if (sent > 8) controller.close()
      else controller.enqueue(chunk)
    },
  })
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, duplex: 'half' }
  expect((await fetch(`${server.url}/api/registrations`, init)).status).toBe(413)
})

test('a refusal reaches who is still sending, and the connection carries the next request', async () => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const request = (line: string, ...headers: string[]) =>
    socket.write(`${[line, `Host: ${hostname}`, ...headers].join('\r\n')}\r\n\r\n`)
  const sendMore = () => socket.write(`80000\r\n${'x'.repeat(0x80000)}\r\n`)
  request('POST /api/registrations HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')
  sendMore()
  await vi.waitUntil(() => received.includes('HTTP/1.1 413'), { timeout: 10_000 })
  sendMore()
  socket.write('0\r\n\r\n')
  request('GET /api/health HTTP/1.1')
  await vi.waitUntil(() => received.includes('HTTP/1.1 200'), { timeout: 10_000 })
  socket.destroy()
})

test('a request that names another host in its target is answered for this one', async () => {
  const { host, hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET http://other.host/sitemap.xml HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  expect(answer).toContain('HTTP/1.1 200')
  expect(answer).toContain(`<loc>${server.url}/</loc>`)
  expect(answer).not.toContain('other.host')
})

test.each(['other.host/x', 'user@other.host', 'other.host#x', 'other.host?x', 'a b', ''])(
  'a host written as %j makes no link',
  async (host) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /sitemap.xml HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    let answer = ''
    for await (const chunk of socket) answer += String(chunk)
    expect(answer).toContain('HTTP/1.1 400')
    expect(answer).not.toContain('<loc>')
  },
)

describe('headers', () => {
  // Data, a file, a page, a text for programs, what isn't there.
  const kinds = ['/api/health', '/api/files/x.webp', '/login', '/robots.txt', '/nowhere', '/api/nowhere']
  // Of our own, which is never shown as a page.
  const script = '/assets/x.js'

  test('a page has a strict content security policy with a nonce of its own for each answer', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => (await fetch(`${server.url}/api/docs`)).headers.get('Content-Security-Policy')),
    )
    const nonces = policies.map((policy) => /script-src 'nonce-([^']+)'/.exec(policy ?? '')?.[1])
    expect(nonces[0]).toBeTruthy()
    expect(nonces[0]).not.toBe(nonces[1])
    const directives = (policies[0] ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values.join(' ')] as const
    })
    expect(Object.fromEntries(directives)).toMatchObject({
      'default-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'object-src': "'none'",
      'script-src': `'nonce-${nonces[0]}' 'strict-dynamic' 'self'`,
      'script-src-attr': "'none'",
    })
  })

  test('data may do nothing, should a browser ever show it as a page', async () => {
    const policyOf = async (path: string) =>
      (await fetch(server.url + path)).headers.get('Content-Security-Policy')
    const nothing = "default-src 'none'; frame-ancestors 'none'"
    expect(await policyOf('/api/health')).toBe(nothing)
    expect(await policyOf('/api/files/x.webp')).toBe(`${nothing}; sandbox`)
  })

  test('an answer names no software and may not be sniffed or framed', async () => {
    for (const path of [...kinds, script]) {
      const { headers } = await fetch(server.url + path)
      expect([path, headers.get('X-Content-Type-Options')]).toEqual([path, 'nosniff'])
      expect([path, headers.get('Server'), headers.get('X-Powered-By')]).toEqual([path, null, null])
      if (path === script) continue
      expect([path, headers.get('X-Frame-Options')]).toEqual([path, 'DENY'])
      expect([path, headers.get('Content-Security-Policy')]).toEqual([
        path,
        expect.stringMatching(/(^|; )frame-ancestors 'none'/),
      ])
    }
  })

  test('every answer keeps its address and its window to this site', async () => {
    const { headers } = await fetch(server.url + script)
    expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
    for (const path of kinds) {
      const { headers } = await fetch(server.url + path)
      expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin')
      expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
      expect(headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin')
      expect(headers.get('Strict-Transport-Security')).toBeNull()
    }
  })

  test('with an https PUBLIC_URL browsers are told to stay with https for a year', async () => {
    const secure = await startTestServer({ env: { PUBLIC_URL: 'https://nstp.school.example' } })
    for (const path of [...kinds, script]) {
      const { headers } = await fetch(secure.url + path)
      expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000; includeSubDomains')
    }
    await secure.close()
  })

  test('members of a body that name a prototype change nothing', async () => {
    const described = operationsOf(await readDescription(server.url))
    const taking = described.filter(({ operation }) => operation.requestBody?.content['application/json'])
    expect(taking.length).toBeGreaterThan(80)
    const headers = { Cookie: await server.signIn(), 'Content-Type': 'application/json', 'If-Match': '"1"' }
    for (const { method, path, operation } of taking) {
      const address = server.url + baseOf(operation) + path.replaceAll(/\{\w+\}/g, unknownId)
      for (const name of ['__proto__', 'constructor', 'prototype']) {
        const body = `{"email":"a@b.example","password":"x","${name}":{"polluted":true,"prototype":{"polluted":true}}}`
        const { status } = await fetch(address, { method: method.toUpperCase(), headers, body })
        expect([path, status < 500, 'polluted' in {}]).toEqual([path, true, false])
      }
    }
  })
})

describe('requests from other sites', () => {
  test('a changing request of another origin is refused', async () => {
    const answer = await post('/api/session', '{}', { Origin: 'https://evil.example' })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      code: 'permission_denied',
      detail: 'Permission denied. Please check your access privileges.',
    })
    // Only a trusted proxy says which host was asked.
    const feigned = { Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' }
    expect((await post('/api/session', '{}', feigned)).status).toBe(403)
  })

  test('no answer lets another site read it', async () => {
    const Origin = 'https://evil.example'
    const preflight = { Origin, 'Access-Control-Request-Method': 'POST' }
    for (const answer of [
      await fetch(`${server.url}/api/announcements`, { headers: { Origin } }),
      await fetch(`${server.url}/login`, { headers: { Origin } }),
      await fetch(`${server.url}/api/files/x.webp`, { headers: { Origin } }),
      await fetch(`${server.url}/robots.txt`, { headers: { Origin } }),
      await fetch(`${server.url}/assets/x.js`, { headers: { Origin } }),
      await fetch(`${server.url}/api/registrations`, { method: 'OPTIONS', headers: preflight }),
      await post('/api/session', '{}', { Origin }),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test('a request that the browser marks as cross-site is refused for any origin', async () => {
    for (const site of ['cross-site', 'same-site']) {
      for (const origin of [{}, { Origin: server.url }]) {
        const answer = await post('/api/session', '{}', { 'Sec-Fetch-Site': site, ...origin })
        expect([site, origin, answer.status]).toEqual([site, origin, 403])
      }
    }
  })

  test('a person who posts a form from elsewhere gets the refusal as a page', async () => {
    const answer = await fetch(`${server.url}/register`, {
      method: 'POST',
      headers: { Accept: 'text/html', Origin: 'https://evil.example' },
      body: new URLSearchParams({ lastName: 'Dela Cruz' }),
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('Content-Type')).toContain('text/html')
    expect(await answer.text()).toContain('Permission denied. Please check your access privileges.')
  })

  test('our own pages and programs without these headers pass', async () => {
    expect((await post('/api/session', '{}', { Origin: server.url })).status).toBe(422)
    expect((await post('/api/session', '{}')).status).toBe(422)
  })
})
