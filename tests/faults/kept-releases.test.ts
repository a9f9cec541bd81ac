// @module-tag rest
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, constants } from 'node:zlib'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serverRole } from '#server/database/embedded/cluster.ts'
import { findServer } from '#server/database/embedded/stale-server.ts'
import { definitionsOf } from '#tests/setup/definitions.ts'
import { runAdmin, runRestore } from '#tests/setup/operator-commands.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createTestDatabase } from '#tests/setup/test-database.ts'

const releases = join(import.meta.dirname, '../releases')
const factsQuery = readFileSync(join(import.meta.dirname, '../setup/release-facts.sql'), 'utf8')
// Of scripts/keep-release.mjs.
const passphrase = 'the kept release of this portal'
// By release: entries about several students that were linked without them.
const withoutStudents: Record<string, number> = { '0.2.0': 3 }
// All of them were open: the older had no way to be closed, and 0.2.0's demo opened it. None stored academic years or
// courses, so what 0.2.0 offered is kept, where a new portal takes those of today (decision 045).
const offeredBefore = {
  academicYears: ['2023-2024', '2024-2025', '2025-2026', '2026-2027', '2027-2028'],
  courses: ['SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE'],
}
// Any user but root, which PostgreSQL refuses.
const nobody = 65_534

async function query<Row extends pg.QueryResultRow>(
  connection: pg.ClientConfig,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

// Three databases start.
describe.each(readdirSync(releases))('the release %s', { timeout: 240_000 }, (release) => {
  const folder = join(releases, release)
  const facts: Record<string, unknown> = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'))

  async function check(product: Product, connection: pg.ClientConfig) {
    const [found] = await query<{ code: string | null }>(connection, factsQuery)
    // An older release has no terms, papers and certificates.
    expect(found).toMatchObject(facts)
    const stored = await query<{ changed: object }>(connection, 'select changed from settings')
    expect(stored).toMatchObject([{ changed: { ...offeredBefore, enlistment: { state: 'open' } } }])
    const site = await fetch(`${product.url}/api/site`)
    expect(await site.json()).toMatchObject({ enlistment: null })
    if (found?.code) {
      const verified = await fetch(`${product.url}/api/verify/${found.code}`)
      expect(await verified.json()).toMatchObject({ number: expect.any(String), state: 'genuine' })
    }
    const page = await (await fetch(`${product.url}/announcements`)).text()
    const image = /\/api\/files\/[0-9a-f]{64}\.\w+/.exec(page)?.[0]
    expect((await fetch(`${product.url}${image}`)).status).toBe(200)
    const fresh = await createTestDatabase()
    onTestFinished(() => fresh.close())
    expect(await definitionsOf(connection)).toBe(await definitionsOf(fresh.connection))
  }

  const exception = new RegExp(
    `Of ${withoutStudents[release]} entries about several students, made by release 0\\.2\\.0, everything but`,
  )

  /** Clean, and it says what of it couldn't be checked. */
  async function checkTrail(env: Record<string, string>) {
    const { code, output, errors } = await runAdmin(['verify-audit'], { env })
    expect([code, errors]).toEqual([0, ''])
    expect(output).toContain('The audit trail is intact')
    expect(exception.test(output)).toBe(release in withoutStudents)
  }

  test('leaves a data folder that upgrades at the start, with everything in it', async () => {
    const work = makeTemporaryFolder()
    const dataDir = join(work.path, 'data')
    mkdirSync(dataDir, { mode: 0o711 })
    const tar = brotliDecompressSync(readFileSync(join(folder, 'data-folder.tar.br')), {
      params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 },
    })
    execFileSync('tar', ['-C', dataDir, '--no-same-owner', '-xf', '-'], { input: tar })
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${nobody}:${nobody}`, dataDir])
    const product = await startProduct({ DATA_DIR: dataDir }, [], { keepsFirstPassword: true })
    onTestFinished(async () => {
      await product.stop()
      work.remove()
    })
    await check(product, {
      ...findServer(join(dataDir, 'postgres')),
      user: serverRole,
      database: 'nstp_portal',
    })
    await checkTrail({ DATA_DIR: dataDir })
  })

  test('leaves a backup that restores with everything in it, and starts', async () => {
    const work = makeTemporaryFolder()
    const target = await createTestDatabase()
    const env = { DATABASE_URL: target.url, DATA_DIR: join(work.path, 'data') }
    const restored = await runRestore([join(folder, 'backup.nstp'), '--yes'], {
      env: { ...env, BACKUP_PASSPHRASE: passphrase },
    })
    expect(restored).toMatchObject({ code: 0, errors: '' })
    expect(restored.output).not.toContain('The audit trail was changed')
    expect(exception.test(restored.output)).toBe(release in withoutStudents)
    await checkTrail(env)
    const product = await startProduct(env, [], { keepsFirstPassword: true })
    onTestFinished(async () => {
      await product.stop()
      await target.close()
      work.remove()
    })
    await check(product, target.connection)
  })
})
