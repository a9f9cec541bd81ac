import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, personMessages } from '#shared/people/person.ts'
import { problemSentences } from '#shared/problem.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { openEvents } from '#tests/setup/event-stream.ts'
import { importsOf, storeCheckOf } from '#tests/setup/imports.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// Two processes on one database.
let first: TestServer
let second: TestServer
let office: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({ database: first.database })
  office = createAdminClient(first, await first.signIn())
})
afterAll(async () => {
  await second.close()
  await first.close()
})
beforeEach(async () => {
  await first.database.db.deleteFrom('admins').where('email', '!=', adminEmail).execute()
})

async function personOf(id: string): Promise<Person> {
  const { items }: { items: Person[] } = await (await office.call('GET', '/people')).json()
  const person = items.find((one) => one.id === id)
  if (!person) throw new Error('no such person')
  return person
}

async function edit(id: string, change: object, by = office) {
  const { displayName, role, components, expiresOn, version, ...ofRoll } = await personOf(id)
  const { sectionIds, seesPhoneNumbers } = ofRoll
  const scope = { role, components, expiresOn, sectionIds, seesPhoneNumbers }
  const body = { displayName, ...scope, isDisabled: false, ...change }
  return () => by.call('PATCH', `/people/${id}`, body, { 'If-Match': `"${version}"` })
}

type Client = typeof office

const administrator = { role: 'administrator', components: [] } as const

test.each([
  ['an end', async (id: string) => (await edit(id, { isDisabled: true }))(), 401],
  ['another role', async (id: string) => (await edit(id, { role: 'registrar' }))(), 403],
  ['a new password', (id: string) => office.call('POST', `/people/${id}/password`), 401],
  ['signing out everywhere', (id: string) => office.call('POST', `/people/${id}/sign-out`), 401],
])('%s holds for the next request at each process, and ends open streams', async (_name, change, status) => {
  const client = await createStaffClient(first, { role: 'coordinator', components: [] })
  const other = createAdminClient(second, client.cookie)
  const bystander = await openEvents(second.url, await first.signIn())
  const streams = await Promise.all([
    openEvents(first.url, client.cookie),
    openEvents(second.url, client.cookie),
  ])
  await Promise.all([bystander, ...streams].map((stream) => stream.waitFor('event: hello')))
  expect((await other.call('GET', '/imports')).status).toBe(200)
  expect((await change(client.id)).status).toBeLessThan(300)
  expect((await other.call('GET', '/imports')).status).toBe(status)
  expect((await client.call('GET', '/imports')).status).toBe(status)
  await Promise.all(streams.map(({ ended }) => ended))
  await bystander.waitFor('data: people')
  await bystander.close()
})

test('other components hold for the next request at each process', async () => {
  const client = await createStaffClient(first, { role: 'coordinator', components: ['ROTC'] })
  const other = createAdminClient(second, client.cookie)
  expect((await other.call('GET', '/students?component=ROTC')).status).toBe(200)
  expect((await (await edit(client.id, { components: ['LTS'] }))()).status).toBe(200)
  const { user } = await (await other.call('GET', '/session')).json()
  expect(user.components).toEqual(['LTS'])
})

test('the last day ends open streams', async () => {
  const clock = { now: new Date('2026-08-03T15:30:00Z') }
  const server = await startTestServer(clock)
  const { cookie } = await createStaffClient(server, { role: 'coordinator', components: [] })
  const today = '2026-08-03'
  await server.database.db
    .updateTable('admins')
    .set({ expiresOn: today })
    .where('role', '=', 'coordinator')
    .execute()
  const stream = await openEvents(server.url, cookie)
  await stream.waitFor('event: hello')
  clock.now = new Date('2026-08-03T16:00:00Z')
  await stream.ended
  await server.close()
})

/** Both wait for the lock before one of them gets it. */
async function atOnce(requests: (() => Promise<Response>)[]) {
  const { db } = first.database
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from pg_locks where not granted and relation = 'admins'::regclass`.execute(db)
    return rows[0]?.count
  }
  const answers = await db.transaction().execute(async (tx) => {
    await sql`lock table admins in share row exclusive mode`.execute(tx)
    const sent = requests.map((send) => send())
    await expect.poll(waiting).toBe(requests.length)
    return sent
  })
  const results = await Promise.all(answers)
  return await Promise.all(
    results.map(async (answer) => ({ status: answer.status, detail: (await answer.json()).detail })),
  )
}

const countOffice = (isCounted: boolean) =>
  first.database.db
    .updateTable('admins')
    .set({ hasFirstPassword: !isCounted })
    .where('email', '=', adminEmail)
    .execute()

const demotion = ({ id }: { id: string }, by: Client) => edit(id, { role: 'registrar' }, by)
const newPassword =
  async ({ id }: { id: string }, by: Client) =>
  () =>
    by.call('POST', `/people/${id}/password`)

const stays = { status: 409, detail: personMessages.lastAdministrator }
const isOver = { status: 403, detail: problemSentences.permission_denied }

test.each([
  ['end as such each other', demotion, false, stays],
  ['make new passwords for each other', newPassword, false, stays],
  ['do so beside a third', demotion, true, isOver],
])('of two administrators who %s at once one is refused', async (_name, request, hasThird, refused) => {
  const one = await createStaffClient(first, administrator)
  const other = await createStaffClient(second, administrator)
  const requests = [await request(other, one), await request(one, other)]
  // With a first password it is none who stays.
  await countOffice(hasThird)
  const answers = await atOnce(requests)
  await countOffice(true)
  expect(answers).toContainEqual(refused)
  expect(answers).toContainEqual({ status: 200, detail: undefined })
})

test("an ended account's import stops", async () => {
  const { db } = first.database
  const client = await createStaffClient(first, { role: 'coordinator', components: [] })
  const { id } = await importsOf(first, client.cookie).upload(toCsv([buildSheetRow()]))
  expect((await (await edit(client.id, { isDisabled: true }))()).status).toBe(200)
  await storeCheckOf(db, id, client)
  const read = async () => (await (await office.call('GET', `/imports/${id}`)).json()).failure
  await expect.poll(read).toBe('The check could not be finished. This account has ended.')
})
