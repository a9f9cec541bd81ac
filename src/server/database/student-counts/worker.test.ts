import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Topic } from '#shared/topics.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { createCountWorker } from './worker.ts'

const timeZone = 'Asia/Manila'
let database: TestDatabase
let worker: ReturnType<typeof createCountWorker>
let logged: string
let publish: (topic: Topic) => void

beforeEach(async () => {
  database = await createTestDatabase()
  logged = ''
  const write = (line: string) => {
    logged += line
  }
  const log = pino({}, { write })
  const listeners = new Set<(topic: Topic) => void>()
  publish = (topic) => {
    for (const listener of listeners) listener(topic)
  }
  const subscribe = (listener: (topic: Topic) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  worker = createCountWorker({ database, timeZone, log, notices: { subscribe } })
})
afterEach(async () => {
  await worker.close()
  await database.close()
})

async function pendingChanges() {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from student_count_changes`.execute(database.db)
  return rows[0]?.n
}

test("an edit that changes no count has its words added to the search's index", async () => {
  await sql`create sequence runs`.execute(database.db)
  await sql`
    create or replace function add_search_words() returns bigint language sql return nextval('runs')`.execute(
    database.db,
  )
  await storeStudent(database)
  await worker.start()
  await sql`update students set middle_name = 'Zuñiga'`.execute(database.db)
  expect(await pendingChanges()).toBe(0)
  publish('students')
  const runs = async () =>
    (await sql<{ called: boolean }>`select is_called as called from runs`.execute(database.db)).rows
  await expect.poll(runs).toEqual([{ called: true }])
})

test('students are counted while the index takes no words, which is logged', async () => {
  await worker.start()
  await sql`drop function add_search_words()`.execute(database.db)
  // A database of another time zone, of which all are counted again.
  await sql`update student_count_state set time_zone = 'UTC'`.execute(database.db)
  await storeStudent(database)
  publish('students')
  const zones = async () => (await sql`select time_zone from student_count_state`.execute(database.db)).rows
  await expect.poll(zones).toEqual([{ timeZone }])
  await expect.poll(() => logged).toContain("adding words to the search's index failed")
})
