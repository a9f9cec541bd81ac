import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('students').execute()
})

describe.each([
  { path: '/students/academic-years', field: 'academicYear', first: '2019-2020', second: '2026-2027' },
  { path: '/students/courses', field: 'course', first: 'bs Nursing', second: 'SOICT' },
] as const)('$path', ({ path, field, first, second }) => {
  const items = async () => (await (await admin.call('GET', path)).json()).items

  test('has everything that a record holds, in order, once, and until its last record has gone', async () => {
    expect(await items()).toEqual([])
    for (const value of [second, first, second]) await storeStudent(server.database, { [field]: value })
    expect(await items()).toEqual([first, second])
    await server.database.db.deleteFrom('students').where(field, '=', first).execute()
    expect(await items()).toEqual([second])
  })

  test('nobody else learns of it', async () => {
    expect(await createAdminClient(server, '').refusal('GET', path)).toMatchObject({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
  })
})

test('a course that was taken off the list of the settings is among what students can be mailed by', async () => {
  await storeStudent(server.database, { course: 'BS Surveying' })
  const { items } = await (await admin.call('GET', '/students/courses')).json()
  expect(items).toEqual(['BS Surveying'])
  const audience = await admin.call('GET', '/mail/audience?course=BS%20Surveying')
  expect(await audience.json()).toMatchObject({ count: 1 })
})
