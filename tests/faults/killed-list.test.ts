// @module-tag rest
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { managingRole } from '#server/database/embedded/cluster.ts'
import { toCsv } from '#tests/factories/spreadsheet.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { until } from './load.ts'
import { connectDatabase, queryDatabase, storeManyStudents } from './product-database.ts'

const students = 2_000
const termId = '0198f4b2-0000-7000-8000-00000000e001'

let folder: TemporaryFolder
let product: Product

beforeAll(async () => {
  folder = makeTemporaryFolder()
  product = await start()
  await storeManyStudents(product.dataDir, students, 32)
  await queryDatabase(
    product.dataDir,
    `update students set student_id = reference;
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
    values ('${termId}', '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now());
    insert into enrolments (id, term_id, student_id, component, level, status_on, entry)
    select gen_random_uuid(), '${termId}', id, 'ROTC', 1, '2026-08-03', 'new' from students`,
  )
}, 120_000)
afterAll(async () => {
  await product.stop()
  folder.remove()
})

const start = () =>
  startProduct({ DATA_DIR: join(folder.path, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })

async function kill() {
  const exited = once(product.process, 'exit')
  product.process.kill('SIGKILL')
  await exited
}

/** One student of the list, at whom the work waits in its middle. */
async function holdOne() {
  const client = await connectDatabase(product.dataDir)
  await client.query('begin')
  await client.query(
    `select from enrolments where student_id = (select id from students where reference = 'R${students / 2}') for update`,
  )
  return client
}

async function isWaiting() {
  const waiting = await queryDatabase(
    product.dataDir,
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    managingRole,
  )
  return waiting.length > 0
}

async function counts() {
  return await queryDatabase<{ official: number; noted: number; state: string; entries: number }>(
    product.dataDir,
    `select (select count(*)::int from enrolments where official_at is not null) as official,
      (select count(*)::int from enrolment_changes where what = 'official') as noted,
      (select count(*)::int from audit_events where action = 'list-applied') as entries, state
    from imports`,
  )
}

test('a registrar’s list of a product that is killed is applied as a whole or not at all', {
  timeout: 240_000,
}, async () => {
  const imports = importsOf(product, await signInOverHttp(product.url))
  const rows = Array.from({ length: students }, (_, index) => ({
    'Student No.': `R${index + 1}`,
    Name: `Name ${index + 1}, Ana`,
  }))
  const uploaded = await imports.upload(toCsv(rows), 'list.csv', `&purpose=registrar&term=${termId}`)
  const { id, counts: checked } = await imports.check(uploaded)
  expect(checked).toMatchObject({ ready: students })
  const held = await holdOne()
  expect((await imports.call('POST', `/${id}/run`, {})).ok).toBe(true)
  await until('some of the students are official, and the next one is held', isWaiting, 120_000)
  await kill()
  await held.end()
  expect(await counts()).toMatchObject([{ state: 'importing', official: 0, noted: 0, entries: 0 }])
  product = await start()
  await until(
    'the list is applied',
    async () => {
      const [now] = await counts()
      if (now?.state === 'imported') return true
      expect(now).toMatchObject({ official: 0, noted: 0 })
      return false
    },
    120_000,
  )
  expect(await counts()).toMatchObject([{ official: students, noted: students, entries: 1 }])
})
