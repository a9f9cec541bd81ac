import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const nowhere = '0198f4b2-0000-7000-8000-000000000000'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())

describe('what a signed-in person gets is stored nowhere', () => {
  test('every address of the API that can be read without an id, and where nothing has the id', async () => {
    const { paths } = await (await fetch(`${server.url}/api/openapi.json`)).json()
    const readable = Object.keys(paths).filter(
      (path) =>
        paths[path].get &&
        !path.startsWith('/files/') &&
        !path.endsWith('/events') &&
        !path.startsWith('/emailService'),
    )
    expect(readable.length).toBeGreaterThan(60)
    for (const path of readable.map((one) => one.replaceAll(/\{\w+\}/g, nowhere))) {
      const answer = await fetch(`${server.url}/api${path}`, { headers: { Cookie: cookie } })
      expect([path, answer.headers.get('Cache-Control')]).toEqual([
        path,
        expect.stringMatching(/^private, no-store(, no-transform)?$/),
      ])
      await answer.body?.cancel()
    }
  })

  test.each([
    ['a refusal', 'GET', `/api/students/${nowhere}`, 404],
    ['an unknown address', 'GET', '/api/nowhere', 404],
    ['a change', 'PATCH', '/api/settings', 422],
    ['a description', 'GET', '/api/openapi.json', 200],
  ])('%s', async (_name, method, path, status) => {
    const headers = { Cookie: cookie, 'Content-Type': 'application/json' }
    const body = method === 'GET' ? {} : { body: '{"nothing":1}' }
    const answer = await fetch(server.url + path, { method, headers, ...body })
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([status, 'private, no-store'])
  })

  test('signing out clears what the browser stored', async () => {
    const headers = { Cookie: await server.signIn() }
    const answer = await fetch(`${server.url}/api/session`, { method: 'DELETE', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('Clear-Site-Data')).toBe('"cache"')
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store')
  })
})

describe('a change with the cookie of a session says where it comes from', () => {
  // Past the tests' fetch, which says it as browsers do.
  const change = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(`${server.url}/api/students/seen`, { method: 'PUT', headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject).end()
    })

  test.each([
    ['neither header', {}, 403],
    ['Sec-Fetch-Site: same-origin', { 'Sec-Fetch-Site': 'same-origin' }, 204],
    ['Sec-Fetch-Site: same-site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['the origin of another site', { Origin: 'https://evil.example' }, 403],
    ['an opaque origin', { Origin: 'null' }, 403],
  ])('%s', async (_name, headers, status) => {
    expect(await change({ Cookie: cookie, ...headers })).toBe(status)
  })

  test('its own origin', async () => {
    expect(await change({ Cookie: cookie, Origin: server.url })).toBe(204)
  })

  test('without a session nothing is asked of a program', async () => {
    expect(await change({})).toBe(401)
    expect(await change({ Cookie: 'theme=dark' })).toBe(401)
  })
})
