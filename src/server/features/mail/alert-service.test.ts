import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { storeMailAccount } from '#tests/setup/mail-account.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer } from '#tests/setup/test-server.ts'

let sink: MailSink
let database: TestDatabase

beforeAll(async () => {
  sink = await startMailSink()
  database = await createTestDatabase()
  await storeMailAccount(database, sink.account)
})
afterAll(async () => {
  await database.close()
  await sink.close()
})

const notices = async () => {
  const all = database.db.selectFrom('mailMessages').select('subject')
  const rows = await all.where('recipient', '=', adminEmail).execute()
  return rows.map(({ subject }) => subject.replace('Security notice: ', '')).sort()
}

test('what an intruder would do is mailed to the administrators, once an hour of what reads alike', async () => {
  const setting = { database, now: new Date('2026-11-20T06:30:00Z') }
  const server = await startTestServer(setting)
  const admin = createAdminClient(server, await server.signIn())
  await server.signIn()
  expect(await notices()).toEqual(['sign-in from a new browser'])
  // Another mail wakes the worker, which looks by itself after some seconds.
  const mail = { to: 'ana@student.example', subject: 'Hello', message: 'Hello' }
  expect((await admin.call('POST', '/send-email', mail)).status).toBe(200)
  await expect.poll(() => sink.notices.map(({ to }) => to), { timeout: 30_000 }).toEqual([[adminEmail]])

  for (const name of ['Enrollment', 'Library']) {
    expect((await admin.call('POST', '/tokens', { name })).status).toBe(201)
  }
  const version = (await admin.call('GET', '/settings')).headers.get('ETag') ?? ''
  const address = { publicAddress: 'https://nstp.example' }
  expect((await admin.call('PATCH', '/settings', address, { 'If-Match': version })).status).toBe(200)
  const backup = await admin.call('POST', '/backup', { passphrase: 'correct horse battery staple' })
  await backup.arrayBuffer()
  // Its change is told, not each of its files.
  const folder = makeTemporaryFolder()
  const nightly = { folder: folder.path, passphrase: 'correct horse battery staple' }
  expect((await admin.call('PUT', '/backup/nightly', nightly, { 'If-Match': '"1"' })).status).toBe(200)
  expect((await admin.call('POST', '/backup/nightly')).status).toBe(200)
  folder.remove()
  const { id } = await storeStudent(database, { nstpComponent: 'ROTC' })
  for (const path of [
    'students/export.xlsx',
    'students/export.xlsx?component=ROTC',
    `students/${id}/file.xlsx`,
  ])
    await (await admin.call('GET', `/${path}`)).arrayBuffer()
  await server.administrators.allowDevice()
  setting.now = new Date('2026-11-20T07:30:00Z')
  await server.signIn()
  const guess = { email: adminEmail, password: 'a wrong pass phrase' }
  for (let i = 0; i < 6; i++) await createAdminClient(server, '').call('POST', '/session', guess)
  // The later refusals are written in sum, at the latest now.
  await server.close()
  expect(await notices()).toEqual([
    'a backup was downloaded',
    'all data of one student downloaded',
    'failed sign-ins',
    'link for a new browser',
    'new API token',
    'new API token',
    'nightly backup changed',
    'public address changed',
    'sign-in from a new browser',
    'sign-in from a new browser',
    'students exported',
  ])
}, 60_000)

test('another password and two-factor sign-in turned off are mailed', async () => {
  await database.db.deleteFrom('mailMessages').execute()
  const server = await startTestServer({ database })
  await server.administrators.resetPassword({ withoutSecondFactor: true })
  expect(await notices()).toEqual(['password changed'])
  const { id: adminId } = await database.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
  const factor = { adminId, secret: Buffer.of(1), confirmedAt: new Date() }
  await database.db.insertInto('secondFactors').values(factor).execute()
  await server.administrators.resetPassword({ withoutSecondFactor: true })
  expect(await notices()).toEqual(['password changed', 'two-factor sign-in turned off'])
  await server.close()
})

test('a mail goes to the person concerned, and to administrators where the office must know', async () => {
  const server = await startTestServer()
  const { database } = server
  await storeMailAccount(database, sink.account)
  const admin = createAdminClient(server, await server.signIn())
  const encoder = await createStaffClient(server, { role: 'assistant', components: [] })
  const other = await createStaffClient(server, { role: 'administrator', components: [] })
  const ended = await createStaffClient(server, { role: 'administrator', components: [] })
  const endedAt = { disabledAt: new Date() }
  await database.db.updateTable('admins').set(endedAt).where('id', '=', ended.id).execute()
  await database.db.deleteFrom('mailMessages').execute()

  const person = { displayName: 'Ben', email: 'ben@school.example', components: [], expiresOn: null }
  expect((await admin.call('POST', '/people', { ...person, role: 'registrar' })).status).toBe(201)
  const edit = {
    ...{ displayName: 'Ana', components: [], isDisabled: false },
    ...{ sectionIds: [], seesPhoneNumbers: false },
  }
  const change = (role: string, expiresOn: string | null, version: number) =>
    admin.call('PATCH', `/people/${encoder.id}`, { ...edit, role, expiresOn }, { 'If-Match': `"${version}"` })
  expect((await change('registrar', null, 1)).status).toBe(200)
  expect((await change('administrator', null, 2)).status).toBe(200)
  expect((await change('assistant', '2199-12-31', 3)).status).toBe(200)
  expect((await admin.call('POST', `/people/${encoder.id}/password`)).status).toBe(200)
  const factor = { adminId: encoder.id, secret: Buffer.of(1), confirmedAt: new Date() }
  await database.db.insertInto('secondFactors').values(factor).execute()
  expect((await admin.call('POST', `/people/${encoder.id}/second-factor-reset`)).status).toBe(204)

  const all = await database.db.selectFrom('mailMessages').select(['recipient', 'subject']).execute()
  const of = (address: string) =>
    all
      .filter(({ recipient }) => recipient === address)
      .map(({ subject }) => subject.replace('Security notice: ', ''))
      .sort()
  const office = ['a person was added', 'another administrator', 'two-factor sign-in reset']
  expect(of(adminEmail)).toEqual(office)
  // While it was one, as the encoder.
  expect(of(other.email)).toEqual(office)
  expect(of(encoder.email)).toEqual(['another administrator', 'password changed', 'two-factor sign-in reset'])
  expect(of(ended.email)).toEqual([])
  expect(all).toHaveLength(9)
  await server.close()
})

test('a changed mail account is reported through the old one, before the change', async () => {
  const own = await createTestDatabase()
  await storeMailAccount(own, sink.account)
  const server = await startTestServer({ database: own })
  const cookie = await server.signIn()
  const intruders = await startMailSink()
  sink.reset()
  await configureMail(server.url, cookie, intruders.account)
  const changes = (of: MailSink) => of.notices.filter(({ raw }) => raw.includes('configuration changed'))
  expect(changes(sink).map(({ to }) => to)).toEqual([[adminEmail]])
  expect(changes(intruders)).toEqual([])
  await removeMailAccount(server.url, cookie)
  await server.close()
  await intruders.close()
  await own.close()
}, 60_000)

test('nothing is queued while e-mail is not configured', async () => {
  const server = await startTestServer()
  await server.signIn()
  expect(await server.database.db.selectFrom('mailMessages').selectAll().execute()).toEqual([])
  await server.close()
})
