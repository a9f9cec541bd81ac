import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Topic } from '#shared/topics.ts'
import { type NetworkProxy, startNetworkProxy } from '#tests/setup/network-proxy.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { createNotices, type Notices } from '../notices.ts'

// Polling takes up to a second, more on a busy machine.
const withinMs = { timeout: 5_000, interval: 50 }

describe('a database without LISTEN', () => {
  let server: TestDatabase
  let engine: NetworkProxy
  let notices: Notices[]
  let logged: string[]

  beforeEach(async () => {
    server = await createTestDatabase()
    const { host, port } = server.connection
    // A real PostgreSQL that gets an unknown word in place of LISTEN.
    engine = await startNetworkProxy(`${host}/.s.PGSQL.${port}`, (bytes) =>
      Buffer.from(bytes.toString('latin1').replace('listen ', 'lisxen '), 'latin1'),
    )
    notices = []
    logged = []
  })
  afterEach(async () => {
    await Promise.all(notices.map((one) => one.close()))
    await engine.close()
    await server.close()
  })

  function join() {
    const own = createNotices({
      db: server.db,
      listenWith: { ...server.connection, host: '127.0.0.1', port: engine.port },
      log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) }),
    })
    notices.push(own)
    const received: Topic[] = []
    own.subscribe((topic) => received.push(topic))
    return { publish: own.publish, received }
  }

  test('is detected once; then changes of other processes are found by polling', async () => {
    const [one, other] = [join(), join()]
    await expect.poll(() => logged.length, withinMs).toBe(2)
    for (const line of logged) expect(JSON.parse(line)).toMatchObject({ code: '42601', canListen: false })

    for (const topic of ['students', 'settings', 'students'] as const) {
      other.received.length = 0
      one.publish(topic)
      await expect.poll(() => other.received, withinMs).toEqual([topic])
    }
    expect(logged).toHaveLength(2)
  })
})
