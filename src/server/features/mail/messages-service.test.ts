import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createMailRetention } from './messages-service.ts'

describe('messages service', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.close())

  test('mail is deleted after the retention period; queued messages and their bulk e-mail stay', async () => {
    const { db } = database
    const old = new Date('2026-05-30T00:00:00Z')
    const recent = new Date('2026-06-02T00:00:00Z')
    const waiting = await storeBatch(
      database,
      [
        { createdAt: old, state: 'queued' },
        { createdAt: old, state: 'sent' },
      ],
      { createdAt: old },
    )
    const ended = await storeBatch(database, [{ createdAt: old, state: 'unknown' }], { createdAt: old })
    const recentBatch = await storeBatch(database, [{ createdAt: recent, state: 'failed' }], {
      createdAt: recent,
    })
    const bounce = { recipient: 'a@x.example', status: '5.1.1' }
    await db
      .insertInto('mailBounces')
      .values([
        { ...bounce, id: ended.id, messageId: null, studentId: null, receivedAt: old, mailboxUid: '1' },
        {
          ...bounce,
          id: recentBatch.id,
          messageId: null,
          studentId: null,
          receivedAt: recent,
          mailboxUid: '2',
        },
      ])
      .execute()

    const expire = createMailRetention({ db, clock: () => new Date('2026-12-01T00:00:00Z'), months: () => 6 })
    expect(await expire()).toBe(2)
    const idsOf = async (table: 'mailBatches' | 'mailMessages' | 'mailBounces') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
    expect(await idsOf('mailBatches')).toEqual([waiting.id, recentBatch.id])
    expect(await idsOf('mailMessages')).toEqual([waiting.messageIds[0], recentBatch.messageIds[0]])
    expect(await idsOf('mailBounces')).toEqual([recentBatch.id])
    expect(await expire()).toBe(0)
  })
})

describe('retention', () => {
  const now = new Date('2026-11-20T10:00:00+08:00')
  let server: TestServer
  let cookie: string

  beforeAll(async () => {
    server = await startTestServer({ now })
    cookie = await server.signIn()
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.db.deleteFrom('students').execute()
  })

  async function register(archivedDate: string | null): Promise<string> {
    const response = await fetch(`${server.url}/api/registrations`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(buildRegistration()),
    })
    const { id } = await response.json()
    if (archivedDate !== null) {
      await server.database.db
        .updateTable('students')
        .set({ archived: true, archivedDate: new Date(archivedDate) })
        .where('id', '=', id)
        .execute()
    }
    return id
  }

  async function expired() {
    return await (await fetch(`${server.url}/api/retention`, { headers: { cookie } })).json()
  }

  function deleteExpired(body: unknown, as = cookie) {
    return fetch(`${server.url}/api/retention/deletions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', cookie: as },
      body: JSON.stringify(body),
    })
  }

  async function left(): Promise<string[]> {
    const rows = await server.database.db.selectFrom('students').select('id').execute()
    return rows.map(({ id }) => id)
  }

  test('only archived records expire, ten years after being archived', async () => {
    await register('2016-11-19T10:00:00+08:00')
    await register('2016-11-20T09:59:59+08:00')
    await register('2016-11-20T10:00:01+08:00')
    await register(null)
    expect(await expired()).toEqual({
      ...{ years: 10, before: '2016-11-20T02:00:00.000Z', count: 2 },
      stopped: null,
    })
  })

  test('the coordinator deletes expired records, which is audited', async () => {
    const old = [await register('2010-01-01T00:00:00Z'), await register('2011-01-01T00:00:00Z')]
    const retained = [await register('2020-01-01T00:00:00Z'), await register(null)]
    const response = await deleteExpired({ count: 2 })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ count: 2 })
    expect((await left()).sort()).toEqual(retained.sort())
    const event = await server.database.db
      .selectFrom('auditEvents')
      .select(['id', 'action', 'affected', 'detail'])
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      action: 'student-deleted',
      affected: 2,
      detail: { reason: 'retention', years: 10 },
    })
    const students = await server.database.db
      .selectFrom('auditStudents')
      .select('studentId')
      .where('eventId', '=', event.id)
      .execute()
    expect(students.map(({ studentId }) => studentId).sort()).toEqual(old.sort())
  })

  test('a different count than the one shown deletes nothing', async () => {
    await register('2010-01-01T00:00:00Z')
    await register('2011-01-01T00:00:00Z')
    const response = await deleteExpired({ count: 1 })
    expect(response.status).toBe(409)
    expect((await response.json()).detail).toBe(
      'There are now 2 such records. Nothing was deleted. Please check the number and try again.',
    )
    expect(await left()).toHaveLength(2)
  })

  test.each([{}, { count: 0 }, { count: 1.5 }, { count: '1' }])('%j is refused', async (body) => {
    const response = await deleteExpired(body)
    expect(response.status).toBe(422)
    expect((await response.json()).detail).toBe('Please send the number of records that are to be deleted.')
  })

  test('both need a session', async () => {
    await register('2010-01-01T00:00:00Z')
    for (const answer of [
      await fetch(`${server.url}/api/retention`),
      await deleteExpired({ count: 1 }, ''),
    ]) {
      expect(answer.status).toBe(401)
      expect((await answer.json()).detail).toBe('Authentication required. Please login as admin.')
    }
    expect(await left()).toHaveLength(1)
  })
})
