import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#server/database/pool.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { type NetworkProxy, startNetworkProxy } from '#tests/setup/network-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

/** How old a kept answer may be that a process gives while it hears nothing, and what a busy machine adds. */
const within = { timeout: 2_000 + 1_500, interval: 20 }

describe('a process that hears of no changes any more', () => {
  let database: TestDatabase
  let network: NetworkProxy
  let one: TestServer
  let deaf: TestServer
  let desk: ReturnType<typeof announcementsOf>

  beforeEach(async () => {
    database = await createTestDatabase()
    const { host, port } = database.connection
    network = await startNetworkProxy(`${host}/.s.PGSQL.${port}`)
    one = await startTestServer({ database, cachesResponses: true })
    const listenWith = { ...database.connection, host: '127.0.0.1', port: network.port }
    deaf = await startTestServer({ database, cachesResponses: true, listenWith })
    desk = announcementsOf(one, await one.signIn())
  })
  afterEach(async () => {
    await Promise.all([one.close(), deaf.close()])
    await network.close()
    await database.close()
  })

  const read = () => fetch(`${deaf.url}/api/announcements`)
  const isKept = async () => (await read()).headers.has('ETag')

  async function titles(): Promise<string[]> {
    const { items }: { items: { title: string }[] } = await (await read()).json()
    return items.map(({ title }) => title)
  }

  test('because its connection was closed shows a change of another within two seconds', async () => {
    await expect.poll(isKept, within).toBe(true)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ~ 'listen|from topics'`,
    )
    await desk.added({ title: 'Told by nobody' })
    await expect.poll(titles, within).toEqual(['Told by nobody'])
    // It finds its way back to keeping.
    await expect.poll(isKept).toBe(true)
  })

  test('because its packets vanish shows a change of another within two seconds', async () => {
    await expect.poll(isKept, within).toBe(true)
    network.swallow()
    await desk.added({ title: 'Heard by nobody' })
    await expect.poll(titles, within).toEqual(['Heard by nobody'])
    await desk.added({ title: 'Nor this' })
    await expect.poll(titles, within).toEqual(['Nor this', 'Heard by nobody'])
    network.heal()
    await expect.poll(isKept).toBe(true)
  })

  test('because the database is away gives nothing kept after two seconds', async () => {
    const connection = { ...database.connection, host: '127.0.0.1', port: network.port }
    const remote = { ...database, ...createDatabase({ connection, log: pino({ level: 'silent' }) }) }
    const alone = await startTestServer({ database: remote, listenWith: connection, cachesResponses: true })
    const readAlone = () => fetch(`${alone.url}/api/announcements`)
    await expect.poll(async () => (await readAlone()).headers.has('ETag'), within).toBe(true)
    network.swallow()
    const since = performance.now()
    let keptUntil = since
    for (let answer = await readAlone(); answer.status === 200; answer = await readAlone()) {
      keptUntil = performance.now()
    }
    expect(keptUntil - since).toBeGreaterThan(500)
    expect(keptUntil - since).toBeLessThan(within.timeout)
    network.heal()
    await expect.poll(async () => (await readAlone()).headers.has('ETag'), { timeout: 15_000 }).toBe(true)
    await alone.close()
    await remote.close()
  })
})
