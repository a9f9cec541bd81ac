// @module-tag rest
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { enlist, until } from './load.ts'
import { queryDatabase } from './product-database.ts'

/** So many that restoring takes seconds. */
const backedUp = 30_000
const kept = 25

interface Command {
  process: ChildProcess
  output: () => string
}

describe('a restore that is killed', () => {
  let folder: TemporaryFolder
  let dataDir: string
  let file: string
  let product: Product | undefined

  function start(): Promise<Product> {
    return startProduct({ DATA_DIR: dataDir, RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })
  }

  function run(command: 'backup' | 'restore', ...args: string[]): Command {
    const child = spawn(process.execPath, [`build/server/${command}.js`, ...args], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATA_DIR: dataDir,
        BACKUP_PASSPHRASE: 'correct horse battery staple',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    return { process: child, output: () => output }
  }

  async function countStudents() {
    const rows = await queryDatabase<{ all: number; kept: number }>(
      dataDir,
      `select count(*)::int as all, (count(*) filter (where last_name = 'Kept'))::int as kept from students`,
    )
    return rows[0]
  }

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    dataDir = join(folder.path, 'data')
    file = join(folder.path, 'all.nstp')
    product = await start()
    await enlist(product.url)
    const columns = `status, consent_version, consented_at, last_name, first_name, address, date_of_birth,
      place_of_birth, sex, civil_status, contact_number, email, citizenship, course, year_level, academic_year,
      emergency_contact_name, emergency_contact_number, nstp_component`
    await queryDatabase(
      dataDir,
      `insert into students (id, reference, ${columns}) select gen_random_uuid(), 'R' || number, ${columns}
       from students, generate_series(2, ${backedUp}) number`,
    )
    const backup = run('backup', file)
    expect(await once(backup.process, 'exit'), backup.output()).toEqual([0, null])
    await queryDatabase(
      dataDir,
      `delete from students where id not in (select id from students limit ${kept});
       update students set last_name = 'Kept'`,
    )
    await product.stop()
  }, 120_000)
  afterAll(async () => {
    await product?.stop()
    folder.remove()
  })

  test.each([0, 250, 700, 1_500])('after %d ms of its work leaves what was there', async (delay) => {
    const restore = run('restore', file, '--yes')
    const exited = once(restore.process, 'exit')
    await until('it restores', () => restore.output().includes('Restoring…'))
    await sleep(delay)
    restore.process.kill('SIGKILL')
    expect(await exited, restore.output()).toEqual([null, 'SIGKILL'])
    product = await start()
    expect(await countStudents()).toEqual({ all: kept, kept })
    expect((await enlist(product.url)).status).toBe(201)
    await queryDatabase(dataDir, `delete from students where last_name <> 'Kept'`)
    await product.stop()
  })

  test('can be done again, and is then whole', async () => {
    const restore = run('restore', file, '--yes')
    expect(await once(restore.process, 'exit'), restore.output()).toEqual([0, null])
    product = await start()
    expect(await countStudents()).toEqual({ all: backedUp, kept: 0 })
  })
})
