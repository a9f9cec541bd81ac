import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type NetworkProxy, startNetworkProxy } from '#tests/setup/network-proxy.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { toAppError } from '../errors.ts'
import { type AppDatabase, createDatabase } from '../pool.ts'

// In ms. A request may take 5 s (product 29.7).
const longestMs = 5_000

async function failureOf(work: Promise<unknown>) {
  const startedAt = performance.now()
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { code: toAppError(error)?.code, ms: performance.now() - startedAt }
}

describe('a network that drops packets', () => {
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

  test('fails queries on open and new connections within 5 s, and later ones succeed', async () => {
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

  test('fails a transaction in progress', async () => {
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

  test('does not block closing the pool', async () => {
    await database.check()
    proxy.swallow()
    await database.close()
    database = createDatabase({ connection: server.connection, log: pino({ level: 'silent' }) })
  })
})

describe('a server that is suspended', () => {
  let folder: TemporaryFolder
  let suspended: ChildProcess
  const waiting: Socket[] = []

  beforeEach(async () => {
    folder = makeTemporaryFolder()
    const path = `${folder.path}/.s.PGSQL.5432`
    // Listens, and then never accepts a connection.
    const script = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => {
      require('node:fs').writeSync(1, 'ready')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    })`
    suspended = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    if (suspended.stdout) await once(suspended.stdout, 'data')
    for (const _ of [1, 2, 3]) waiting.push(connect(path).on('error', () => undefined))
  })
  afterEach(() => {
    for (const socket of waiting.splice(0)) socket.destroy()
    suspended.kill('SIGKILL')
    folder.remove()
  })

  // Linux answers EAGAIN at once then; other systems refuse the connection.
  test('and has a full connection queue is reported as unavailable', async () => {
    const connection = { host: folder.path, port: 5432, user: 'nstp', database: 'nstp' }
    const database = createDatabase({ connection, log: pino({ level: 'silent' }) })
    const failures = await Promise.all(Array.from({ length: 40 }, () => failureOf(database.check())))
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['unavailable']))
    expect(Math.max(...failures.map(({ ms }) => ms))).toBeLessThan(longestMs)
    await database.close()
  })
})
