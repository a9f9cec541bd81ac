import { expect, test } from 'vitest'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startStudentsServer } from '#tests/setup/students-server.ts'

const now = new Date('2027-01-20T02:00:00Z')
const app = startStudentsServer({ now })

const unseen = async () => (await (await app.admin.call('GET', '/students/unseen')).json()).count

test('counts the registrations since the list was last opened', async () => {
  await storeStudent(app.database, { registrationDate: new Date('2020-01-01T00:00:00Z') })
  await storeStudent(app.database, { registrationDate: now })
  expect(await unseen()).toBe(1)
  expect((await app.admin.call('PUT', '/students/seen')).status).toBe(204)
  expect(await unseen()).toBe(0)
  await storeStudent(app.database, { registrationDate: new Date(now.getTime() + 1) })
  expect(await unseen()).toBe(1)
})

test('counts no further than a thousand', async () => {
  const registrationDate = new Date(now.getTime() + 60_000)
  for (let batch = 0; batch < 3; batch++) {
    await app.database.db
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
  expect(await createAdminClient(app.server, '').refusal(method, path)).toEqual({
    status: 401,
    code: 'unauthenticated',
    detail: 'Authentication required. Please login as admin.',
  })
})
