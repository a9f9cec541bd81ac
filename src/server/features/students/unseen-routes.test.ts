import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const now = new Date('2027-01-20T02:00:00Z')

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer({ now })
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('students').execute()
})

const unseen = async () => (await (await admin.call('GET', '/students/unseen')).json()).count

test('counts the registrations since the list was last opened', async () => {
  await storeStudent(server.database, { registrationDate: new Date('2020-01-01T00:00:00Z') })
  await storeStudent(server.database, { registrationDate: now })
  expect(await unseen()).toBe(1)
  expect((await admin.call('PUT', '/students/seen')).status).toBe(204)
  expect(await unseen()).toBe(0)
  await storeStudent(server.database, { registrationDate: new Date(now.getTime() + 1) })
  expect(await unseen()).toBe(1)
})

test('counts no further than a thousand', async () => {
  const registrationDate = new Date(now.getTime() + 60_000)
  for (let batch = 0; batch < 3; batch++) {
    await server.database.db
      .insertInto('students')
      .values(Array.from({ length: 400 }, () => buildStoredStudent({ registrationDate })))
      .execute()
  }
  expect(await unseen()).toBe(1_000)
})

test.each([
  ['GET', '/students/unseen'],
  ['PUT', '/students/seen'],
])('%s %s is refused without a session', async (method, path) => {
  expect(await createAdminClient(server, '').refusal(method, path)).toEqual({
    status: 401,
    code: 'unauthenticated',
    detail: 'Authentication required. Please login as admin.',
  })
})
