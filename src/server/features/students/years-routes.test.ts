import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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

const years = async () => (await (await admin.call('GET', '/students/academic-years')).json()).items

test('every year that a record holds is there, in order, once, and until its last record has gone', async () => {
  expect(await years()).toEqual([])
  for (const academicYear of ['2026-2027', '2019-2020', '2026-2027']) {
    await storeStudent(server.database, { academicYear })
  }
  expect(await years()).toEqual(['2019-2020', '2026-2027'])
  await server.database.db.deleteFrom('students').where('academicYear', '=', '2019-2020').execute()
  expect(await years()).toEqual(['2026-2027'])
})

test('nobody else learns of them', async () => {
  expect(await createAdminClient(server, '').refusal('GET', '/students/academic-years')).toMatchObject({
    status: 401,
    detail: 'Authentication required. Please login as admin.',
  })
})
