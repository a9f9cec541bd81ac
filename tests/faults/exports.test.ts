// @module-tag rest
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { managingRole, productRole } from '#server/database/embedded/cluster.ts'
import { problemSentences } from '#shared/problem.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { queryDatabase, signalDatabase, storeManyStudents } from './product-database.ts'

// Random texts, so that a file is larger than all buffers between the database and a reader that has stopped.
const records = 4_000

let product: Product
let cookie: string

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
  cookie = await signInOverHttp(product.url)
  await storeManyStudents(product.dataDir, records, 8_000)
}, 240_000)
afterAll(() => product.remove())

const ask = (text: string) => queryDatabase(product.dataDir, text, managingRole)
const exportAll = (path = '/export.xlsx', signal?: AbortSignal) =>
  fetch(`${product.url}/api/students${path}`, { headers: { cookie }, ...(signal ? { signal } : {}) })
const snapshots = `pg_stat_activity where usename = '${productRole}' and xact_start is not null`
const openSnapshots = async () => (await ask(`select pid from ${snapshots}`)).length

test('a thread writes every record', async () => {
  const [sheet] = await readWorkbook(
    Buffer.from(await (await exportAll('/export.xlsx?sort=name')).arrayBuffer()),
  )
  expect(sheet?.data).toHaveLength(records + 1)
  expect(sheet?.data[1]).toContain('Name 1')
})

test('its connection ends with the download', async () => {
  for (let count = 0; count < 3; count++) {
    const controller = new AbortController()
    await (await exportAll('/export.xlsx', controller.signal)).body?.getReader().read()
    expect(await openSnapshots()).toBeGreaterThan(0)
    controller.abort()
    await expect.poll(openSnapshots).toBe(0)
  }
})

test('a lost connection breaks the download off, and nothing else', async () => {
  const download = await exportAll()
  await ask(`select pg_terminate_backend(pid) from ${snapshots}`)
  const read = download.arrayBuffer()
  expect(
    await read.then(
      () => 'whole',
      () => 'broken off',
    ),
  ).toBe('broken off')
  // Read to its end: its snapshot would block the next test's change of the table.
  const next = await exportAll('/export.xlsx?search=Name%2017')
  expect((await next.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
})

test('a database that is frozen breaks the download off within seconds', async () => {
  const reader = (await exportAll()).body?.getReader()
  await reader?.read()
  signalDatabase(product.dataDir, 'SIGSTOP')
  const startedAt = performance.now()
  const drain = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
    return 'whole'
  }
  expect(await drain().catch(() => 'broken off')).toBe('broken off')
  // 10 s, on a busy machine; the connection's own limit is 120 s.
  expect(performance.now() - startedAt).toBeLessThan(40_000)
  signalDatabase(product.dataDir, 'SIGCONT')
  await expect.poll(openSnapshots, { timeout: 20_000 }).toBe(0)
}, 90_000)

test('an error of the thread is told without the database’s words', async () => {
  await ask('alter table students rename column restriction to other')
  const answer = await exportAll()
  await ask('alter table students rename column other to restriction')
  expect(answer.status).toBe(500)
  expect((await answer.json()).detail).toBe(problemSentences.internal)
  await expect.poll(openSnapshots).toBe(0)
})
