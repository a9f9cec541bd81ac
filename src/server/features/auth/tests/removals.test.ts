import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildSheetRows, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { storeMailAccount } from '#tests/setup/mail-account.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const start = new Date('2026-11-20T08:10:00+08:00')
const clock = { now: start }
const atMinute = (minutes: number) => {
  clock.now = new Date(start.getTime() + minutes * 60_000)
}

let sink: MailSink
let database: TestDatabase
let server: TestServer
let cookie: string
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  sink = await startMailSink()
  database = await createTestDatabase()
  await storeMailAccount(database, sink.account)
  server = await startTestServer(Object.assign(clock, { database }))
})
afterAll(async () => {
  await server.close()
  await database.close()
  await sink.close()
})
beforeEach(async () => {
  atMinute(0)
  for (const table of ['students', 'importRows', 'imports', 'mailMessages'] as const) {
    await database.db.deleteFrom(table).execute()
  }
  await createAuditTrail(database).clear()
  cookie = await server.signIn()
  admin = createAdminClient(server, cookie)
})

const storeMany = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await storeStudent(database)).id))

const prove = () => admin.call('POST', '/session/proof', { password: adminPassword })

async function remove(count: number, by = admin) {
  const ids = await storeMany(count)
  const answers = await Promise.all(ids.map((id) => by.call('DELETE', `/students/${id}`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]))
}

async function notices() {
  const all = database.db.selectFrom('mailMessages').select(['recipient', 'subject', 'content'])
  const about = all.where('subject', '=', 'Security notice: many records removed')
  return (await about.execute()).map(({ recipient, content }) => ({ recipient, content }))
}

test('of each way are one count, and the tenth of an hour is one mail, in which no student is named', async () => {
  const [fake = '', keepId, dropId] = await storeMany(3)
  const rejected = await admin.call('POST', '/students/rejections', { ids: [fake] })
  expect(await rejected.json()).toMatchObject({ count: 1 })
  const imports = importsOf(server, cookie)
  const uploaded = await imports.upload(toCsv(buildSheetRows(5)))
  await imports.check(uploaded)
  expect(await imports.run(uploaded.id)).toMatchObject({ importedCount: 5 })
  await imports.undo(uploaded.id)
  const merge = { keepId, keepVersion: 1, dropId, dropVersion: 1, take: {} }
  expect((await admin.call('POST', '/students/merge', merge)).status).toBe(200)
  // What is refused removes nothing.
  expect((await admin.call('POST', '/students/merge', merge)).status).not.toBe(200)
  expect((await admin.call('DELETE', `/students/${dropId}`)).status).toBe(404)
  // The password begins the count of reading again, not this one.
  atMinute(30)
  expect((await prove()).status).toBe(204)
  await remove(2)
  expect(await notices()).toEqual([])

  await remove(1)
  const sent = await notices()
  expect(sent).toMatchObject([{ recipient: adminEmail, content: { template: 'message', format: 'text' } }])
  const text = JSON.stringify(sent)
  expect(text).toContain(`${adminEmail} removed the records of 10 students within an hour`)
  expect(text).not.toMatch(/Dela Cruz|Imported0|NSTP-\w{4}/)
  await remove(12)
  expect(await notices()).toHaveLength(1)
})

test('of a session, two at once that each could be the tenth are one mail, and after an hour there may be another', async () => {
  await remove(8)
  const other = createAdminClient(server, await server.signIn())
  await remove(9, other)
  expect(await notices()).toEqual([])
  await remove(2)
  expect(await notices()).toHaveLength(1)
  expect(await createAuditTrail(database).of('many-removed')).toMatchObject([{ affected: 10 }])

  atMinute(59.9)
  expect((await prove()).status).toBe(204)
  await remove(3)
  expect(await notices()).toHaveLength(1)
  atMinute(61)
  await remove(9)
  expect(await notices()).toHaveLength(1)
  await remove(1)
  expect(await notices()).toHaveLength(2)
})
