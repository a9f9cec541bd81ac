import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type NetworkProxy, startNetworkProxy } from '#tests/setup/network-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { toAppError } from './errors.ts'
import { type AppDatabase, createDatabase } from './pool.ts'

/** What a request may take (spec of the product: 5 s), and what a busy test machine adds. */
const longestMs = 5_000

describe('a network that swallows packets', () => {
  let server: TestDatabase
  let proxy: NetworkProxy
  let database: AppDatabase

  beforeEach(async () => {
    server = await createTestDatabase()
    const { host, port, user, database: name } = server.connection
    proxy = await startNetworkProxy(`${host}/.s.PGSQL.${port}`)
    const connection = {
      host: '127.0.0.1',
      port: proxy.port,
      ...(user && name ? { user, database: name } : {}),
    }
    database = createDatabase({ connection, log: pino({ level: 'silent' }) })
  })
  afterEach(async () => {
    await database.close()
    await proxy.close()
    await server.close()
  })

  async function failureOf(work: Promise<unknown>) {
    const startedAt = performance.now()
    const error = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return { code: toAppError(error)?.code, ms: performance.now() - startedAt }
  }

  test('ends what waits on open and on new connections within 5 s, and what comes later works', async () => {
    await database.check()
    proxy.swallow()
    const failures = await Promise.all(
      Array.from({ length: 40 }, (_, index) => failureOf(sql`select ${index}::int`.execute(database.db))),
    )
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['unavailable']))
    expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(longestMs)

    proxy.heal()
    await Promise.all(Array.from({ length: 40 }, () => database.check()))
  })

  test('ends a transaction in the middle', async () => {
    const failure = await failureOf(
      database.transact(async (tx) => {
        await sql`select 1`.execute(tx)
        proxy.swallow()
        await sql`select 2`.execute(tx)
      }),
    )
    expect(failure.code).toBe('unavailable')
    expect(failure.ms).toBeLessThan(longestMs)
  })

  test('does not keep the program from closing its connections', async () => {
    await database.check()
    proxy.swallow()
    await database.close()
    database = createDatabase({ connection: server.connection, log: pino({ level: 'silent' }) })
  })
})
