import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createUnsubscribeTokens } from '#server/mail/rendering/unsubscribe-tokens.ts'
import { buildStoredMessage } from '#tests/factories/stored-batch.ts'
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
afterEach(async () => {
  await server.database.db.deleteFrom('mailOptOuts').execute()
})

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

test('what waits to go to many is cancelled for who wants no more; what is for them alone goes out', async () => {
  const kinds = ['bulk', 'announcement', 'welcome', 'single'] as const
  const waiting = kinds.map((kind) =>
    buildStoredMessage({ kind, state: 'queued', recipient: 'Waiting@example.com' }),
  )
  const others = buildStoredMessage({ state: 'queued', recipient: 'other@example.com' })
  const { db } = server.database
  await db
    .insertInto('mailMessages')
    .values([...waiting, others])
    .execute()
  const token = tokens.tokenOf('waiting@example.com')
  await nobody.call('POST', '/mail/opt-out', { token, announcements: false })
  const rows = await db.selectFrom('mailMessages').select(['kind', 'recipient', 'state', 'failure']).execute()
  const failure = 'This address wants no announcements by e-mail any more.'
  const ofWaiting = rows.filter(({ recipient }) => recipient === 'Waiting@example.com')
  expect(ofWaiting.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual([
    'announcement cancelled',
    'bulk cancelled',
    'single queued',
    'welcome queued',
  ])
  expect(ofWaiting.filter((row) => row.state === 'cancelled').map((row) => row.failure)).toEqual([
    failure,
    failure,
  ])
  expect(rows.find(({ recipient }) => recipient === 'other@example.com')).toMatchObject({ state: 'queued' })
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
