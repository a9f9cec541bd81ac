// @module-tag rest
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning } from '#server/database/embedded/stale-server.ts'
import { listMigrations } from '#server/database/migrate.ts'
import { createDatabase } from '#server/database/pool.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'
import { enlist } from './load.ts'
import { databasePid, queryDatabase } from './product-database.ts'

describe('several processes', () => {
  let folder: TemporaryFolder
  let products: Product[]

  beforeEach(() => {
    folder = makeTemporaryFolder()
    products = []
  })
  afterEach(async () => {
    await Promise.all(products.map((product) => product.stop()))
    folder.remove()
  })

  async function start(env: Record<string, string>) {
    const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMITS: 'off', ...env })
    products.push(product)
    return product
  }

  test('a second one on the same data folder is refused with a sentence, and the first goes on', async () => {
    const dataDir = join(folder.path, 'data')
    const first = await start({ DATA_DIR: dataDir })
    const pid = databasePid(dataDir)
    await expect(start({ DATA_DIR: dataDir })).rejects.toThrow(
      `NSTP Portal is already running from this data folder (process ${first.process.pid}): ${dataDir}.`,
    )
    expect(databasePid(dataDir)).toBe(pid)
    expect(await enlist(first.url)).toMatchObject({ status: 201 })
  })

  test('of four that start on one folder at the same moment, one runs and the others are refused', async () => {
    const dataDir = join(folder.path, 'data')
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => start({ DATA_DIR: dataDir })))
    const refusals = results.flatMap((result) =>
      result.status === 'rejected' ? [String(result.reason)] : [],
    )
    expect(refusals).toHaveLength(3)
    for (const refusal of refusals) expect(refusal).toContain('NSTP Portal is already running')
    expect(await enlist(products[0]?.url ?? '')).toMatchObject({ status: 201 })
  })

  test('four that start on one empty DATABASE_URL share it: each migration once, one administrator', async () => {
    const { url, connection, drop } = await createBareDatabase()
    await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        start({ DATABASE_URL: url, DATA_DIR: join(folder.path, `data-${index}`) }),
      ),
    )
    const database = createDatabase({ connection, log: pino({ level: 'silent' }) })
    const { rows } = await database.pool.query(`select
      (select count(*)::int from schema_migrations) as migrations,
      (select count(*)::int from admins) as admins`)
    expect(rows).toEqual([{ migrations: listMigrations().length, admins: 1 }])
    await database.close()
    await Promise.all(products.map((product) => product.stop()))
    await drop()
  })

  test('one on a copy of a folder in use leaves the original alone', async () => {
    const original = await start({ DATA_DIR: join(folder.path, 'data') })
    await enlist(original.url)
    const pid = databasePid(original.dataDir)
    // With its notes of who owns it and which process its database is.
    execFileSync('cp', ['-a', original.dataDir, join(folder.path, 'copy')])
    const copy = await start({ DATA_DIR: join(folder.path, 'copy') })
    expect(isRunning(pid)).toBe(true)
    expect(databasePid(copy.dataDir)).not.toBe(pid)
    await enlist(original.url)
    expect(await queryDatabase(original.dataDir, 'select count(*)::int as n from students')).toEqual([
      { n: 2 },
    ])
    expect(await queryDatabase(copy.dataDir, 'select count(*)::int as n from students')).toEqual([{ n: 1 }])
  })
})
