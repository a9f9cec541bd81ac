import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { createMailRetention } from './retention.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('mail ends after the months of the settings; what still waits, and its bulk e-mail, stays', async () => {
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
  const kept = await storeBatch(database, [{ createdAt: recent, state: 'failed' }], { createdAt: recent })
  const bounce = { recipient: 'a@x.example', status: '5.1.1' }
  await db
    .insertInto('mailBounces')
    .values([
      { ...bounce, id: ended.id, messageId: null, studentId: null, receivedAt: old, mailboxUid: '1' },
      { ...bounce, id: kept.id, messageId: null, studentId: null, receivedAt: recent, mailboxUid: '2' },
    ])
    .execute()

  const expire = createMailRetention({ db, clock: () => new Date('2026-12-01T00:00:00Z'), months: () => 6 })
  expect(await expire()).toBe(2)
  const idsOf = async (table: 'mailBatches' | 'mailMessages' | 'mailBounces') =>
    (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  expect(await idsOf('mailBatches')).toEqual([waiting.id, kept.id])
  expect(await idsOf('mailMessages')).toEqual([waiting.messageIds[0], kept.messageIds[0]])
  expect(await idsOf('mailBounces')).toEqual([kept.id])
  expect(await expire()).toBe(0)
})
