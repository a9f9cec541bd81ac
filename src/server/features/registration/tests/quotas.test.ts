import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#server/database/pool.ts'
import { defaultSettings, type Settings } from '#shared/settings/settings.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const now = new Date('2026-11-20T03:00:00.000Z')
const year = '2026-2027'
const full = 'ROTC is full for 2026-2027. Please choose the other component, or ask the NSTP office.'

let server: TestServer
// Another process on the same database.
let other: TestServer
let closeOther: () => Promise<void>
let admin: ReturnType<typeof createAdminClient>
let otherAdmin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer({ now })
  const database = createDatabase({ connection: server.database.connection, log: pino({ level: 'silent' }) })
  closeOther = database.close
  other = await startTestServer({ now, database: { ...server.database, ...database } })
  admin = createAdminClient(server, await server.signIn())
  otherAdmin = createAdminClient(other, await other.signIn())
})
afterAll(async () => {
  await other.close()
  await closeOther()
  await server.close()
})
beforeEach(async () => {
  await server.database.pool.query('delete from students')
})

async function limit(quotas: Partial<Settings['quotas']>) {
  const { version } = await (await admin.call('GET', '/settings')).json()
  const change = { quotas: { ...defaultSettings.quotas, ...quotas } }
  const response = await admin.call('PATCH', '/settings', change, { 'If-Match': `"${version}"` })
  expect(response.status).toBe(200)
  // Reading them refreshes what the other process has cached.
  expect(await (await otherAdmin.call('GET', '/settings')).json()).toMatchObject(change)
}

interface Attempt {
  nstpComponent?: string
  academicYear?: string
  at?: TestServer
  key?: string
}

async function register({ at = server, key, ...overrides }: Attempt = {}) {
  const response = await fetch(`${at.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key ? { 'Idempotency-Key': key } : {}) },
    body: JSON.stringify(buildRegistration({ nstpComponent: 'ROTC', academicYear: year, ...overrides })),
  })
  return { status: response.status, body: await response.json() }
}

async function count(component = 'ROTC'): Promise<number> {
  const text = 'select count(*)::int as count from students where nstp_component = $1 and academic_year = $2'
  const { rows } = await server.database.pool.query(text, [component, year])
  return rows[0].count
}

describe('a quota', () => {
  test('is exact with many connections to two processes: the rest is refused beside the component', async () => {
    await limit({ ROTC: 40 })
    const answers = await Promise.all(
      Array.from({ length: 128 }, (_, index) => register({ at: index % 2 ? server : other })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(40)
    expect(statuses.filter((status) => status === 422)).toHaveLength(88)
    expect(await count()).toBe(40)
    const refused = answers.find(({ status }) => status === 422)
    expect(refused?.body).toMatchObject({
      code: 'invalid',
      detail: full,
      errors: [{ path: 'nstpComponent', message: full }],
    })
  })

  test('takes one less and the last one, and refuses one more', async () => {
    await limit({ ROTC: 3 })
    await register()
    expect((await register()).status).toBe(201)
    expect((await register()).status).toBe(201)
    expect((await register()).status).toBe(422)
  })

  test('counts each component and each academic year apart, and archived records too', async () => {
    await limit({ ROTC: 1 })
    expect((await register()).status).toBe(201)
    await server.database.pool.query('update students set archived = true, archived_date = now()')
    expect((await register()).status).toBe(422)
    expect((await register({ nstpComponent: 'CWTS' })).status).toBe(201)
    expect((await register({ academicYear: '2027-2028' })).status).toBe(201)
  })

  test('gives the first answer to a repeated form when it is full, also in the same moment', async () => {
    await limit({ ROTC: 1 })
    const keys = Array.from({ length: 8 }, () => 'the-key-of-one-form')
    const answers = await Promise.all(keys.map((key) => register({ key })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.reference}`)).size).toBe(1)
    expect(await register({ key: 'the-key-of-one-form', at: other })).toMatchObject({
      status: 201,
      body: { reference: answers[0]?.body.reference },
    })
    expect(await count()).toBe(1)
    // A repetition takes no place of another form.
    await limit({ ROTC: 2 })
    const both = await Promise.all([
      register({ key: 'the-key-of-one-form' }),
      register({ key: 'another-key-of-a-form' }),
    ])
    expect(both.map(({ status }) => status)).toEqual([201, 201])
  })

  test('has a place again after a record is deleted, and the form learns both', async () => {
    await limit({ ROTC: 1 })
    const { id } = (await register()).body
    const offered = async () => (await (await fetch(`${server.url}/api/registrations/offer`)).json()).full
    await expect.poll(offered).toMatchObject([{ component: 'ROTC', academicYear: year }])
    expect((await (await admin.call('GET', '/dashboard')).json()).quotas).toEqual([
      { component: 'ROTC', academicYear: year, count: 1, quota: 1 },
    ])
    expect((await admin.call('DELETE', `/students/${id}`)).status).toBe(204)
    await expect.poll(offered).toEqual([])
    expect((await register()).status).toBe(201)
  })

  test('that is not set limits nothing', async () => {
    await limit({})
    const answers = await Promise.all(Array.from({ length: 32 }, () => register()))
    expect(answers.every(({ status }) => status === 201)).toBe(true)
    expect((await (await admin.call('GET', '/dashboard')).json()).quotas).toEqual([])
  })
})

test.each([0, -1, 1.5, '5', 1_000_001])('%s is no quota', async (ROTC) => {
  const { version } = await (await admin.call('GET', '/settings')).json()
  const quotas = { ...defaultSettings.quotas, ROTC }
  const { status, errors } = await admin.refusal(
    'PATCH',
    '/settings',
    { quotas },
    { 'If-Match': `"${version}"` },
  )
  const message = 'Please enter the slots as a whole number from 1 to 1,000,000.'
  expect({ status, errors }).toEqual({ status: 422, errors: [{ path: 'quotas.ROTC', message }] })
})
