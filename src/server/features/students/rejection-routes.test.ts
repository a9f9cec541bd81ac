import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MailState } from '#shared/mail/mail.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { buildStoredMessage, storeBatch } from '#tests/factories/stored-batch.ts'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { openMailFixture } from '#tests/setup/mail-fixture.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { restoredColumns } from './rejection-repository.ts'

const day = 86_400_000
const options = { env: { TRUST_PROXY: 'on' }, now: new Date('2026-11-20T02:00:00Z') }

let server: TestServer
let admin: ReturnType<typeof createAdminClient>
let trail: AuditTrail

beforeAll(async () => {
  server = await startTestServer(options)
  trail = createAuditTrail(server.database)
})
afterAll(() => server.close())
beforeEach(async () => {
  admin = createAdminClient(server, await server.signIn())
  for (const table of ['mailMessages', 'rejectedStudents', 'students', 'imports'] as const) {
    await server.database.db.deleteFrom(table).execute()
  }
  await trail.clear()
})

// A session doesn't last as long.
async function pass(ms: number) {
  options.now = new Date(options.now.getTime() + ms)
  admin = createAdminClient(server, await server.signIn())
}

async function enlist(from: string, lastName: string, key: string = randomUUID()): Promise<string> {
  const answer = await fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from, 'Idempotency-Key': key },
    body: JSON.stringify(buildRegistration({ lastName })),
  })
  expect(answer.status).toBe(201)
  return (await answer.json()).id
}

async function storeMail(studentId: string, state: MailState): Promise<string> {
  const message = buildStoredMessage({
    ...{ kind: 'welcome', studentId, state, recipient: 'nobody@flood.example', createdAt: options.now },
    endedAt: state === 'queued' ? null : options.now,
  })
  await server.database.db.insertInto('mailMessages').values(message).execute()
  return message.id
}

async function storeImport(): Promise<string> {
  const id = createId()
  await sql`insert into imports (id, file_name, created_at, created_by, state, row_count, headers, guessed_date_order)
    values (${id}, 'list.csv', now(), 'me', 'imported', 1, '{}', 'day')`.execute(server.database.db)
  return id
}

const mail = async () => {
  const rows = await server.database.db.selectFrom('mailMessages').selectAll().execute()
  return new Map(rows.map((row) => [row.id, { studentId: row.studentId, state: row.state }]))
}

async function read(path: string) {
  const answer = await admin.call('GET', path)
  expect(answer.status).toBe(200)
  return await answer.json()
}

async function post(path: string, body?: unknown) {
  const answer = await admin.call('POST', path, body)
  expect(answer.status).toBe(200)
  return await answer.json()
}

const reject = (ids: readonly string[]) => post('/students/rejections', { ids })
const undo = (id: string) => post(`/students/rejections/${id}/undo`)
const idsOf = async (query: string) => (await read(`/students/ids?${query}`)).ids

describe('input', () => {
  test.each([
    ['GET', '/students/networks'],
    ['GET', '/students/rejections'],
    ['POST', '/students/rejections'],
    ['POST', '/students/rejections/preview'],
    ['POST', `/students/rejections/${randomUUID()}/undo`],
  ])('%s %s is refused without a session', async (method, path) => {
    expect(
      await createAdminClient(server, '').refusal(method, path, method === 'GET' ? undefined : { ids: [] }),
    ).toMatchObject({ status: 401 })
  })

  test('nothing is rejected when a record is gone or none is selected', async () => {
    const id = await enlist('203.0.113.7', 'Flood')
    expect(await admin.refusal('POST', '/students/rejections', { ids: [id, createId()] })).toMatchObject({
      status: 409,
      detail:
        '1 of the selected students no longer exists, so nothing was rejected. Please reload the list and select again.',
    })
    expect(await admin.refusal('POST', '/students/rejections', { ids: [] })).toMatchObject({
      detail: 'No students selected',
    })
    expect(await idsOf('')).toEqual([id])
    expect(await trail.actions()).toEqual([])
  })
})

test('registrations are found by their network and their minutes', async () => {
  const [first, second] = [await enlist('203.0.113.7', 'One'), await enlist('203.0.113.99', 'Two')]
  const sixth = await enlist('2001:db8:1:2::5', 'Six')
  await pass(90_000)
  const later = await enlist('203.0.113.7', 'Later')
  expect((await read('/students/networks')).items).toEqual([
    { network: '203.0.113.0/24', count: 3 },
    { network: '2001:db8:1::/48', count: 1 },
  ])
  expect(await idsOf('network=2001:db8:1::/48')).toEqual([sixth])
  expect(await idsOf('network=203.0.113.0/24')).toEqual([later, second, first])
  // 10:00 and 10:01 in Manila.
  const minute = 'period=2026-11-20T10:00/2026-11-20T10:01'
  expect(await idsOf(minute)).toEqual([sixth, second, first])
  expect(await idsOf(`${minute}&network=203.0.113.0/24`)).toEqual([second, first])
  expect((await read(`/students?${minute}`)).total).toBe(3)
  expect(await admin.refusal('GET', '/students?period=2026-11-20T10:01/2026-11-20T10:00')).toMatchObject({
    status: 422,
  })
})

test('rejected registrations are nowhere, with their waiting mail; undone, all is as before', async () => {
  const real = await enlist('198.51.100.1', 'Real')
  const [one, two] = [await enlist('203.0.113.7', 'Flood'), await enlist('203.0.113.8', 'Flood')]
  const [waiting, sent] = [await storeMail(one, 'queued'), await storeMail(two, 'sent')]
  const records = [await read(`/students/${one}`), await read(`/students/${two}`)]
  const before = await read('/statistics')
  await trail.clear()

  expect(await post('/students/rejections/preview', { ids: [one, two] })).toMatchObject({
    ...{ total: 2, kept: 0, mail: 1 },
    sample: [
      { id: two, lastName: 'Flood', network: '203.0.113.0/24' },
      { id: one, network: '203.0.113.0/24' },
    ],
  })
  const { id, count } = await reject([one, two, one])
  expect(count).toBe(2)
  expect(await idsOf('')).toEqual([real])
  expect(await idsOf('search=flood')).toEqual([])
  expect((await read('/statistics')).total).toBe(before.total - 2)
  expect((await admin.call('GET', `/students/${one}`)).status).toBe(404)
  // A sent one still counts for the day's quota of the mail account.
  expect(await mail()).toEqual(
    new Map([
      [waiting, { studentId: null, state: 'cancelled' }],
      [sent, { studentId: null, state: 'sent' }],
    ]),
  )
  const { items } = await read('/students/rejections')
  const until = new Date(options.now.getTime() + day).toISOString()
  expect(items).toEqual([{ id, at: options.now.toISOString(), until, actor: expect.any(String), count: 2 }])

  expect(await undo(id)).toEqual({ count: 2, skipped: 0 })
  expect([await read(`/students/${one}`), await read(`/students/${two}`)]).toEqual(records)
  expect(await read('/statistics')).toEqual(before)
  expect(await idsOf('network=203.0.113.0/24')).toEqual([two, one])
  expect(await mail()).toEqual(
    new Map([
      [waiting, { studentId: one, state: 'queued' }],
      [sent, { studentId: two, state: 'sent' }],
    ]),
  )
  expect((await read('/students/rejections')).items).toEqual([])
  expect(await admin.refusal('POST', `/students/rejections/${id}/undo`)).toMatchObject({
    status: 404,
    detail: 'This rejection can no longer be undone.',
  })
  const entries = (await trail.entries()).filter(({ action }) => action !== 'student-viewed')
  expect(entries.map(({ action, affected }) => [action, affected])).toEqual([
    ['registrations-rejected', 2],
    ['rejection-undone', 2],
  ])
  // The preview shows names.
  const listed = (await trail.of('students-listed')).map(({ detail }) => detail)
  expect(listed).toContainEqual({ sampleOf: 'rejection' })
})

test('previews are entries of the trail with the students that they name', async () => {
  const preview = (ids: readonly string[]) => post('/students/rejections/preview', { ids })
  // Previews within an hour are one list.
  await pass(3_600_000)
  await preview([createId()])
  const rows = Array.from({ length: 104 }, () => buildStoredStudent())
  await server.database.db.insertInto('students').values(rows).execute()
  const ids = rows.map(({ id }) => id)
  await Promise.all(Array.from({ length: 100 }, (_, index) => preview(ids.slice(index, index + 5))))
  expect((await trail.of('students-listed')).map(({ affected }) => affected)).toEqual([0, 500])
})

test('all is undone until its day is over', async () => {
  const flood = await enlist('203.0.113.7', 'Flood')
  const { id } = await reject([flood])
  await pass(day - 1)
  expect(await undo(id)).toEqual({ count: 1, skipped: 0 })
})

test('after a day nothing personal is left, and after 30 days no network', async () => {
  const [flood, real] = [await enlist('203.0.113.7', 'Flood'), await enlist('203.0.113.8', 'Real')]
  await storeMail(flood, 'queued')
  await storeMail(flood, 'sent')
  const kept = await storeMail(real, 'sent')
  const { id } = await reject([flood])
  await pass(day - 1)
  await server.sweep()
  expect((await read('/students/rejections')).items).toHaveLength(1)
  await pass(1)
  expect((await admin.call('POST', `/students/rejections/${id}/undo`)).status).toBe(404)
  await server.sweep()
  expect(await server.database.db.selectFrom('rejectedStudents').selectAll().execute()).toEqual([])
  expect([...(await mail()).keys()]).toEqual([kept])

  await pass(29 * day - 1)
  await server.sweep()
  expect(await idsOf('network=203.0.113.0/24')).toEqual([real])
  await pass(1_000)
  await server.sweep()
  expect(await idsOf('network=203.0.113.0/24')).toEqual([])
  expect(await idsOf('')).toEqual([real])
})

test('records of an import stay; a form sent again meanwhile keeps the first one out', async () => {
  const importId = await storeImport()
  const { id: imported } = await storeStudent(server.database, { importId })
  const key = randomUUID()
  const [flood, other] = [await enlist('203.0.113.7', 'Flood', key), await enlist('203.0.113.7', 'Other')]
  expect(await post('/students/rejections/preview', { ids: [flood, other, imported] })).toMatchObject({
    total: 3,
    kept: 1,
  })
  expect(await reject([imported])).toMatchObject({ count: 0 })
  const { id, count } = await reject([flood, other, imported])
  expect(count).toBe(2)
  expect(await idsOf('')).toEqual([imported])
  const again = await enlist('203.0.113.7', 'Flood', key)
  expect(await undo(id)).toEqual({ count: 1, skipped: 1 })
  expect((await idsOf('')).sort()).toEqual([imported, other, again].sort())
  // The list offers it once only.
  expect((await read('/students/rejections')).items).toEqual([])
  const alone = await reject([again])
  await enlist('203.0.113.7', 'Flood', key)
  expect(await undo(alone.id)).toEqual({ count: 0, skipped: 1 })
  expect((await read('/students/rejections')).items).toEqual([])
})

test('a record that an import updated stays, with what the undo of the import needs', async () => {
  const { db } = server.database
  const [updated, flood] = [await enlist('203.0.113.7', 'Updated'), await enlist('203.0.113.7', 'Flood')]
  const importId = await storeImport()
  await sql`insert into import_rows (import_id, number, cells, record_id, changes)
    values (${importId}, 2, '["Updated"]', ${updated}, '[{"field":"course"}]')`.execute(db)
  const ids = [updated, flood]
  const preview = await post('/students/rejections/preview', { ids })
  expect({ ...preview, sample: preview.sample.map((row: { id: string }) => row.id) }).toEqual({
    ...{ total: 2, kept: 1, mail: 0, sample: [flood] },
  })
  expect(await reject(ids)).toMatchObject({ count: 1 })
  expect(await idsOf('')).toEqual([updated])
  expect(await db.selectFrom('importRows').select(['cells', 'changes']).execute()).toEqual([
    { cells: ['Updated'], changes: [{ field: 'course' }] },
  ])
})

test('undo brings every column back', async () => {
  const id = await enlist('203.0.113.7', 'Flood')
  const row = async () => {
    const { rows } = await sql`select to_jsonb(students) as row from students where id = ${id}`.execute(
      server.database.db,
    )
    return rows[0]
  }
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'students'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'import_id'`.execute(server.database.db)
  const names = restoredColumns.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  expect(names.toSorted()).toEqual(columns.rows.map(({ name }) => name).toSorted())
  const before = await row()
  await undo((await reject([id])).id)
  expect(await row()).toEqual(before)
})

test('a rejection from before an update that needs more of a record is refused with a reason', async () => {
  const { id } = await reject([await enlist('203.0.113.7', 'Flood')])
  await sql`update rejected_students set record = record - 'last_name'`.execute(server.database.db)
  expect(await admin.refusal('POST', `/students/rejections/${id}/undo`)).toMatchObject({
    status: 409,
    detail: 'The portal was updated after this rejection, so it can no longer be undone.',
  })
})

test('mail of rejected registrations is not sent again by hand', async () => {
  const mailing = await openMailFixture()
  try {
    await mailing.configure()
    const { database } = mailing.server
    const { id: studentId } = await storeStudent(database)
    const { id: batch, messageIds } = await storeBatch(database, [{ state: 'failed', studentId }])
    expect(await mailing.done('GET', `/mail/batches/${batch}`)).toMatchObject({ repeatableCount: 1 })
    await mailing.done('POST', '/students/rejections', { ids: [studentId] })
    expect(await mailing.done('GET', `/mail/batches/${batch}`)).toMatchObject({ repeatableCount: 0 })
    expect(await mailing.admin.refusal('POST', `/mail/messages/${messageIds[0]}/send-again`)).toMatchObject({
      status: 409,
      detail: 'The registration was marked as fake.',
    })
    expect(mailing.sink.messages).toEqual([])
  } finally {
    await mailing.close()
  }
})

test('10,000 with their mail are one request, and so is the way back', {
  tags: ['rest'],
  timeout: 120_000,
}, async () => {
  const db = server.database.longDb
  const { id: model } = await storeStudent(server.database)
  const columns = await sql<{ names: string }>`
    select string_agg(attname, ', ') as names from pg_attribute
    where attrelid = 'students'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not in ('id', 'reference')`.execute(db)
  const names = sql.raw(columns.rows[0]?.names ?? '')
  await sql`insert into students (id, reference, ${names})
    select gen_random_uuid(), 'NSTP-' || n, ${names} from students, generate_series(1, 9999) n`.execute(db)
  const message = buildStoredMessage({ kind: 'welcome', studentId: model, state: 'queued' })
  await db.insertInto('mailMessages').values(message).execute()
  await sql`insert into mail_messages (id, student_id, kind, recipient, subject, content, priority, created_at, not_before)
    select gen_random_uuid(), students.id, kind, recipient, subject, content, priority, created_at, not_before
    from students, mail_messages where students.id <> ${model}`.execute(db)
  const ids = await idsOf('')
  expect(ids).toHaveLength(10_000)

  const { id, count } = await reject(ids)
  expect(count).toBe(10_000)
  expect((await read('/students')).total).toBe(0)
  const states = async () => {
    const { rows } = await sql`select state, count(*)::int from mail_messages group by 1`.execute(db)
    return rows
  }
  expect(await states()).toEqual([{ state: 'cancelled', count: 10_000 }])
  expect(await undo(id)).toEqual({ count: 10_000, skipped: 0 })
  expect((await read('/students')).total).toBe(10_000)
  expect(await states()).toEqual([{ state: 'queued', count: 10_000 }])
})
