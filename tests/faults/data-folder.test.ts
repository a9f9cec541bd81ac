import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isRunning } from '#server/database/embedded/stale-server.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase } from '#tests/setup/test-database.ts'
import { enlist } from './load.ts'
import { databasePid } from './product-database.ts'

const isRoot = process.getuid?.() === 0

describe('the data folder', () => {
  let folder: TemporaryFolder
  let product: Product | undefined

  beforeEach(() => {
    folder = makeTemporaryFolder()
    product = undefined
  })
  afterEach(async () => {
    await product?.stop()
    folder.remove()
  })

  async function startIn(dataDir: string) {
    product = await startProduct({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' })
    return product
  }

  test.each([
    ['spaces, quotes, a comma and ñ', `a folder, "mine" and Señor O'Neil's/data`],
    ['more than a socket’s path may have', `${'deep '.repeat(20)}/${'folder'.repeat(20)}/data`],
  ])('may have a name with %s', async (_what, name) => {
    const { url } = await startIn(join(folder.path, name))
    expect(await enlist(url)).toMatchObject({ status: 201 })
    await product?.stop()
    const again = await startIn(join(folder.path, name))
    expect(await enlist(again.url)).toMatchObject({ status: 201 })
  })

  test.runIf(isRoot)(
    'that the database’s user can not enter is replaced by one that the start names',
    async () => {
      const closed = join(folder.path, 'closed')
      mkdirSync(closed, { mode: 0o700 })
      const wanted = join(closed, 'data')
      const { url, output } = await startIn(wanted)
      expect(await enlist(url)).toMatchObject({ status: 201 })
      const elsewhere =
        /The database's user can't open (.*), so the data is in (\/var\/lib\/nstp-portal-[0-9a-f]{8})\./
      const [, from, to = ''] = elsewhere.exec(output()) ?? []
      expect(from).toBe(wanted)
      expect(existsSync(wanted)).toBe(false)
      expect(readdirSync(to)).toContain('postgres')
      await product?.stop()
      rmSync(to, { recursive: true })
    },
  )

  test('is left unlocked and without a database when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const dataDir = join(folder.path, 'data')
    await expect(startProduct({ DATA_DIR: dataDir, PORT: String(port) })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program. Stop that program, or use another port: PORT=${port + 1} npm start.`,
    )
    other.close()
    expect(() => databasePid(dataDir)).toThrow('no database runs')
    const { dataDir: used } = await startIn(dataDir)
    expect(isRunning(databasePid(used))).toBe(true)
  })

  test.each([
    ['PORT', 'eighty', 'PORT must be a whole number.'],
    ['DATA_DIR', '/dev/null/data', "The data folder /dev/null/data can't be created: /dev/null is a file."],
  ])(
    'and other settings that can not work are answered with a sentence, not a stack: %s',
    async (name, value, sentence) => {
      const attempt = startProduct({ DATA_DIR: join(folder.path, 'data'), [name]: value })
      await expect(attempt).rejects.toThrow(sentence)
      await expect(attempt).rejects.not.toThrow(/^\s+at /m)
    },
  )

  test('is not needed with DATABASE_URL, whose faults are told in a sentence', async () => {
    const { url, drop } = await createBareDatabase()
    await drop()
    const dataDir = join(folder.path, 'data')
    await expect(startProduct({ DATABASE_URL: url, DATA_DIR: dataDir })).rejects.toThrow(
      /The database that DATABASE_URL names can't be used: database "test_\w+" does not exist\./,
    )
    expect(existsSync(dataDir)).toBe(false)
  })
})
