// @module-tag rest
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { configureUnlimitedMail, mailStates, type Query, queueMail } from '#tests/setup/mailing-product.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'
import { until } from './load.ts'

let folder: TemporaryFolder
let database: Awaited<ReturnType<typeof createBareDatabase>>
let products: Product[]
let sink: MailSink
let pool: pg.Pool

beforeEach(async () => {
  folder = makeTemporaryFolder()
  sink = await startMailSink()
  database = await createBareDatabase()
  pool = new pg.Pool(database.connection)
  products = await Promise.all(
    [1, 2].map((number) =>
      startProduct({
        DATABASE_URL: database.url,
        DATA_DIR: join(folder.path, `data-${number}`),
        SECRET_KEY: 'the secret key that both processes have',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
      }),
    ),
  )
})
afterEach(async () => {
  await Promise.all(products.map((product) => product.stop()))
  await pool.end()
  await database.drop()
  await sink.close()
  folder.remove()
})

const query: Query = async (text) => (await pool.query(text)).rows

test('two processes on one database send 500 messages, none twice', { timeout: 120_000 }, async () => {
  await configureUnlimitedMail(products[0]?.url ?? '', sink.account)
  sink.reset()
  sink.fault({ at: 'dot', does: 'wait', ms: 20 })
  await queueMail(query, 500)
  await until('all are sent', async () => (await mailStates(query)).sent === 500, 90_000)
  expect(sink.messages).toHaveLength(500)
  expect(new Set(sink.messages.map(({ id }) => id)).size).toBe(500)
  // Both processes sent: one has at most three connections.
  expect(sink.counts.connections).toBeGreaterThan(3)
})
