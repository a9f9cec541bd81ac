import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { managingRole, serverRole } from '#server/database/embedded/cluster.ts'
import { migrate } from '#server/database/migrate.ts'
import { runOnce } from '#server/database/run-once.ts'
import { startEmbeddedServer } from '#server/database/server.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface TestCluster {
  host: string
  port: number
  user: string
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
  }
}

const port = 5432
const log = pino({ level: 'silent' })

/**
 * One database server for the whole run, with a migrated database that `createTestDatabase` copies.
 * TEST_POSTGRES_SOCKETS, a socket's folder, selects a running server with the roles `postgres` and `nstp`:
 * `scripts/test-postgres.mjs` starts one of another version.
 */
export async function setup({ provide }: TestProject) {
  const host = process.env.TEST_POSTGRES_SOCKETS
  if (host) return prepareRunningServer(host, provide)
  const folder = makeTemporaryFolder()
  const server = await startEmbeddedServer({
    dataDir: join(folder.path, 'data'),
    log,
    fsync: false,
    settings: { max_connections: '200', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const { host: ownHost = '', database = '' } = server.connection
  await migrate({ connection: server.connection, log })
  provide('cluster', { host: ownHost, port, user: serverRole, template: database })

  return async () => {
    await server.stop()
    folder.remove()
  }
}

async function prepareRunningServer(host: string, provide: TestProject['provide']) {
  const template = 'nstp_template'
  await runOnce(
    { host, port, user: managingRole, database: 'postgres' },
    `create database ${template} owner ${serverRole}`,
  )
  await migrate({ connection: { host, port, user: serverRole, database: template }, log })
  provide('cluster', { host, port, user: serverRole, template })
}
