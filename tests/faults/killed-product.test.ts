import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRunning } from '#server/database/embedded/stale-server.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { startLoad, until } from './load.ts'
import { databasePid, queryDatabase } from './product-database.ts'

describe('a product that is killed', () => {
  let folder: TemporaryFolder
  let product: Product

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    product = await start()
  })
  afterAll(async () => {
    await product.stop()
    folder.remove()
  })

  function start() {
    return startProduct({ DATA_DIR: join(folder.path, 'data'), RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })
  }

  async function kill() {
    const exited = once(product.process, 'exit')
    product.process.kill('SIGKILL')
    await exited
  }

  test('under load keeps every record that it acknowledged, three times in a row', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      const load = startLoad(product.url)
      await until('records are made', () => load.result.acknowledged.length > 100)
      const orphan = databasePid(product.dataDir)
      await kill()
      acknowledged.push(...(await load.stop()).acknowledged)

      // The database lives on without its product, and is taken over.
      expect(isRunning(orphan)).toBe(true)
      product = await start()
      expect(isRunning(orphan)).toBe(false)
    }
    const rows = await queryDatabase<{ id: string }>(product.dataDir, 'select id from students')
    const stored = new Set(rows.map(({ id }) => id))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  })

  test('together with its database starts again', async () => {
    const load = startLoad(product.url)
    await until('records are made', () => load.result.acknowledged.length > 100)
    process.kill(databasePid(product.dataDir), 'SIGKILL')
    await kill()
    const { acknowledged } = await load.stop()
    product = await start()
    const rows = await queryDatabase<{ id: string }>(product.dataDir, 'select id from students')
    const stored = new Set(rows.map(({ id }) => id))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  })

  test('leaves its suspended database to the next start, which ends it', async () => {
    const orphan = databasePid(product.dataDir)
    process.kill(orphan, 'SIGSTOP')
    await kill()
    product = await start()
    expect(isRunning(orphan)).toBe(false)
  })

  test('with SIGTERM ends with exit code 0 and takes its database along', async () => {
    const pid = databasePid(product.dataDir)
    const events = await fetch(`${product.url}/api/events`)
    expect(await product.stop()).toBe(0)
    expect(isRunning(pid)).toBe(false)
    // The stream was ended, not cut.
    expect(await events.text()).toContain('event: hello')
  })
})
