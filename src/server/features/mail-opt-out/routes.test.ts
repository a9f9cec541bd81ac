import { afterAll, beforeAll, expect, test } from 'vitest'
import { createUnsubscribeTokens } from '#server/mail/unsubscribe-tokens.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createOptOutRepository } from './repository.ts'

let server: TestServer
let nobody: ReturnType<typeof createAdminClient>
// The key of every test server.
const tokens = createUnsubscribeTokens(Buffer.from('the secret key of every test server'))
beforeAll(async () => {
  server = await startTestServer()
  nobody = createAdminClient(server, '')
})
afterAll(() => server.close())

const leftOut = (...addresses: string[]) => createOptOutRepository(server.database.db).leftOut(addresses)

test('the owner of a link stops announcements, and has them again', async () => {
  const token = tokens.tokenOf('Ana@Example.com')
  const read = () => nobody.call('GET', `/mail/opt-out?token=${token}`).then((response) => response.json())
  expect(await read()).toEqual({ address: 'a…@example.com', announcements: true })

  const stop = await nobody.call('POST', '/mail/opt-out', { token, announcements: false })
  expect([stop.status, await stop.json()]).toEqual([200, { address: 'a…@example.com', announcements: false }])
  expect(await read()).toMatchObject({ announcements: false })
  expect(await leftOut('ANA@example.com', 'b@example.com')).toEqual(new Set(['ANA@example.com']))
  // Mail programs may ask twice.
  expect((await nobody.call('POST', '/mail/opt-out', { token, announcements: false })).status).toBe(200)

  await nobody.call('POST', '/mail/opt-out', { token, announcements: true })
  expect(await read()).toMatchObject({ announcements: true })
  expect(await leftOut('ana@example.com')).toEqual(new Set())
})

test('only the hash of the address is kept', async () => {
  await nobody.call('POST', '/mail/opt-out', {
    token: tokens.tokenOf('kept@example.com'),
    announcements: false,
  })
  const rows = await server.database.db.selectFrom('mailOptOuts').selectAll().execute()
  expect(rows).toEqual([{ addressHash: expect.any(Buffer), optedOutAt: expect.any(Date) }])
  expect(rows[0]?.addressHash).toHaveLength(32)
})

test.each([
  '',
  'abc',
  'A'.repeat(700),
  '../../etc',
  createUnsubscribeTokens(Buffer.from('another secret key, of somebody else')).tokenOf('a@example.com'),
])('a link that is not ours is refused: %s', async (token) => {
  const detail =
    'This link is not complete. Please open it again from the e-mail, or ask the NSTP office to stop announcements.'
  const read = await nobody.refusal('GET', `/mail/opt-out?token=${encodeURIComponent(token)}`)
  const change = await nobody.refusal('POST', '/mail/opt-out', { token, announcements: false })
  expect(read).toMatchObject({ status: 404, detail })
  expect(change).toMatchObject({ status: 404, detail })
})

test('a wish that says nothing is refused with a sentence', async () => {
  const refusal = await nobody.refusal('POST', '/mail/opt-out', { token: 'x' })
  expect(refusal).toMatchObject({ status: 422, detail: 'Choose whether announcements are sent by e-mail.' })
})
