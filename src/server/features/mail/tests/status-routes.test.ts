import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer({ env: { DATA_DIR: '.' } })
  cookie = await server.signIn()
})
afterAll(() => server.close())

async function madeToken(): Promise<string> {
  const response = await createAdminClient(server, cookie).call('POST', '/tokens', { name: 'a program' })
  const { token } = await response.json()
  return token
}

describe('GET /api/status', () => {
  test('returns version, uptime, database, queue, disk and e-mail', async () => {
    const response = await createAdminClient(server, cookie).call('GET', '/status')
    expect(response.status).toBe(200)
    const status = await response.json()
    expect(status).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      startedAt: expect.stringMatching(/^\d{4}-/),
      uptimeSeconds: expect.any(Number),
      database: { reachable: true, version: expect.stringMatching(/^\d+/), sizeBytes: expect.any(Number) },
      queue: { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 },
      disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
      email: {
        isConfigured: false,
        status: 'not_configured',
        message: 'Email service is not configured.',
      },
      proxyIgnored: false,
    })
    expect(status.disk.freeBytes).toBeLessThan(status.disk.totalBytes)
  })

  test('says that a proxy’s header is ignored, once one was sent', async () => {
    const read = async () => (await createAdminClient(server, cookie).call('GET', '/status')).json()
    expect(await read()).toMatchObject({ proxyIgnored: false })
    await fetch(`${server.url}/api/site`, { headers: { 'X-Forwarded-For': '203.0.113.7' } })
    expect(await read()).toMatchObject({ proxyIgnored: true })
  })

  test('needs a session', async () => {
    expect(await createAdminClient(server, '').refusal('GET', '/status')).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

describe('GET /emailService/status', () => {
  const read = (headers: Record<string, string>) => fetch(`${server.url}/emailService/status`, { headers })

  test('says that e-mail is configured, to an administrator and to a program with a token', async () => {
    const sink = await startMailSink()
    await configureMail(server.url, cookie, sink.account)
    const answers = [
      await read({ cookie: cookie }),
      await read({ Authorization: `Bearer ${await madeToken()}` }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({
        isConfigured: true,
        status: 'ok',
        message: 'Email service is configured.',
      })
    }
    await removeMailAccount(server.url, cookie)
    await sink.close()
  })

  test('says that e-mail is not configured', async () => {
    expect(await (await read({ cookie: cookie })).json()).toEqual({
      isConfigured: false,
      status: 'not_configured',
      message: 'Email service is not configured.',
    })
  })

  test('needs a session or a token', async () => {
    const answer = await read({})
    expect(answer.status).toBe(401)
    expect((await answer.json()).detail).toBe('Authentication required. Please login as admin.')
  })

  test('is documented in OpenAPI with its own base path', async () => {
    const { paths } = await (await fetch(`${server.url}/api/openapi.json`)).json()
    expect(paths['/emailService/status'].get.servers).toEqual([{ url: '/' }])
    expect(paths['/update-email-config'].post.summary).toBe('Configure the mail account')
  })
})
