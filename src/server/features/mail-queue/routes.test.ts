import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addMessages } from '#server/mail/ledger/ledger-repository.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { buildMessage } from '#tests/setup/mail-office.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

describe('GET /api/mail/queue', () => {
  let server: TestServer

  beforeEach(async () => {
    server = await startTestServer()
  })
  afterEach(() => server.close())

  const read = async () => {
    const response = await createAdminClient(server, await server.signIn()).call('GET', '/mail/queue')
    return { status: response.status, body: await response.json() }
  }

  test('says how far the outgoing mail is', async () => {
    const now = new Date()
    const ids = await server.database.transact((tx) =>
      addMessages(
        tx,
        Array.from({ length: 30 }, () => buildMessage()),
        now,
      ),
    )
    const [sent = '', old = '', unknown = '', failed = ''] = ids
    const set = (id: string, state: 'sent' | 'unknown' | 'failed', endedAt = now) =>
      server.database.db.updateTable('mailMessages').set({ state, endedAt }).where('id', '=', id).execute()
    await set(sent, 'sent')
    await set(old, 'sent', new Date(now.getTime() - 25 * 3_600_000))
    await set(unknown, 'unknown')
    await set(failed, 'failed')
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual({
      counts: { queued: 26, sending: 0, sent: 1, failed: 1, unknown: 1, cancelled: 0 },
      trouble: 'Email service is not configured.',
      sentToday: 2,
      perDay: 450,
      perMinute: 20,
      finishesAt: expect.any(String),
    })
    // 18 of them at once, the others when two of the last minute are a minute old.
    const minutes = (Date.parse(body.finishesAt) - now.getTime()) / 60_000
    expect(minutes).toBeGreaterThanOrEqual(1)
    expect(minutes).toBeLessThan(1.5)
  })

  test('of nothing has no end to tell', async () => {
    expect((await read()).body).toMatchObject({ finishesAt: null, sentToday: 0 })
  })

  test('is for administrators', async () => {
    expect(await createAdminClient(server, '').refusal('GET', '/mail/queue')).toMatchObject({
      status: 401,
      code: 'unauthenticated',
      detail: 'Authentication required. Please login as admin.',
    })
  })
})
