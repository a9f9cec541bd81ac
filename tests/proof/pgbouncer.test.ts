import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { productRole } from '#server/database/embedded/cluster.ts'
import { migrate } from '#server/database/migrate.ts'
import { createDatabase } from '#server/database/pool.ts'
import { runOnce } from '#server/database/run-once.ts'
import { startLoad, until } from '#tests/faults/load.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { findFreePort } from '#tests/setup/free-port.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createBareDatabase, testCluster } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const log = pino({ level: 'silent' })

describe('through PgBouncer in transaction mode', () => {
  let folder: TemporaryFolder
  let bouncer: ChildProcess
  let database: Awaited<ReturnType<typeof createBareDatabase>>
  const servers: TestServer[] = []

  beforeAll(async () => {
    database = await createBareDatabase()
    // The owner, who migrates, doesn't go through the pooler: its lock belongs to a connection.
    await migrate({ connection: database.connection, log, productRole })
    const connection = await startBouncer()
    for (let count = 0; count < 2; count++) {
      const through = createDatabase({ connection, log })
      const close = async () => through.close()
      servers.push(
        await startTestServer({
          database: { ...through, connection, url: '', close },
          listenWith: connection,
        }),
      )
    }
  })
  afterAll(async () => {
    for (const server of servers) {
      await server.close()
      await server.database.close()
    }
    bouncer.kill('SIGINT')
    await once(bouncer, 'exit')
    await database.drop()
    folder.remove()
  })

  async function startBouncer(): Promise<pg.ClientConfig> {
    const { host, port } = await testCluster()
    folder = makeTemporaryFolder()
    const listenPort = await findFreePort()
    const file = join(folder.path, 'pgbouncer.ini')
    const target = `host=${host} port=${port} user=${productRole}`
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: listenPort,
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: 'transaction',
      // As in docs/operations.md.
      ignore_startup_parameters: 'extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
    writeFileSync(file, ['[databases]', `* = ${target}`, '[pgbouncer]', ...lines, ''].join('\n'))
    // It refuses to run as root, and the server's socket is its user's.
    const { uid, gid } = statSync(host)
    chownSync(folder.path, uid, gid)
    chownSync(file, uid, gid)
    bouncer = spawn('pgbouncer', [file], {
      stdio: 'ignore',
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
    })
    const connection = {
      host: '127.0.0.1',
      port: listenPort,
      user: productRole,
      database: database.connection.database ?? '',
    }
    await until('the pooler answers', () =>
      runOnce(connection, 'select 1').then(
        () => true,
        () => false,
      ),
    )
    return connection
  }

  test('every registration of sixteen writers at two processes is stored, and none fails', async () => {
    const loads = servers.map(({ url }) => startLoad(url))
    const cookie = (await servers[0]?.signIn()) ?? ''
    const statuses = new Set<number>()
    for (let times = 0; times < 5; times++) {
      for (const server of servers) {
        const client = createAdminClient(server, cookie)
        for (const path of ['/students', '/statistics', '/audit', '/students/export.xlsx', '/settings']) {
          const response = await client.call('GET', path)
          await response.arrayBuffer()
          statuses.add(response.status)
        }
      }
    }
    const results = await Promise.all(loads.map((load) => load.stop()))
    expect([...statuses]).toEqual([200])
    expect(results.map((result) => [...result.statuses.keys()])).toEqual([[201], [201]])
    const ids = results.flatMap(({ acknowledged }) => acknowledged)
    const stored = await servers[0]?.database.db.selectFrom('students').select('id').execute()
    expect(stored?.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(Math.max(...results.map(({ slowestMs }) => slowestMs))).toBeLessThan(5_000)
  })

  test('a change at one process is seen at the other', async () => {
    const [one, other] = servers
    if (!one || !other) throw new Error('two processes')
    const client = createAdminClient(one, await one.signIn())
    const { version } = await (await client.call('GET', '/settings')).json()
    const changed = await client.call(
      'PATCH',
      '/settings',
      { systemName: 'Through a pooler' },
      { 'If-Match': `"${version}"` },
    )
    expect(changed.status).toBe(200)
    await until('the other process knows', async () =>
      (await (await fetch(`${other.url}/api/site`)).text()).includes('Through a pooler'),
    )
  })
})
