import { join } from 'node:path'
import type pg from 'pg'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { managingRole, productRole, serverRole } from '#server/database/embedded/cluster.ts'
import { migrate } from '#server/database/migrate.ts'
import { runOnce } from '#server/database/run-once.ts'
import { startEmbeddedServer } from '#server/database/server.ts'
import { officeSettings } from './office-settings.ts'
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
 * TEST_POSTGRES_SOCKETS, a socket's folder, selects a running server: `scripts/test-postgres.mjs`
 * starts one of another version.
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
  await storeSettings(server.connection)
  provide('cluster', { host: ownHost, port, user: serverRole, template: database })

  return async () => {
    await server.stop()
    folder.remove()
  }
}

async function prepareRunningServer(host: string, provide: TestProject['provide']) {
  const template = 'nstp_template'
  for (const statement of [
    `create role ${serverRole} login`,
    `create role ${productRole} login`,
    `create database ${template} owner ${serverRole}`,
  ]) {
    await runOnce({ host, port, user: managingRole, database: 'postgres' }, statement)
  }
  // Before version 15 everybody may create tables there, and the database's owner doesn't own it (operations.md).
  for (const statement of [
    'alter schema public owner to pg_database_owner',
    'revoke create on schema public from public',
  ]) {
    await runOnce({ host, port, user: managingRole, database: template }, statement)
  }
  const connection = { host, port, user: serverRole, database: template }
  await migrate({ connection, log })
  await storeSettings(connection)
  provide('cluster', { host, port, user: serverRole, template })
}

async function storeSettings(connection: pg.ClientConfig) {
  const { academicYears, publicAddress } = officeSettings
  const changed = JSON.stringify({ academicYears, publicAddress })
  await runOnce(connection, `update settings set changed = '${changed}'`)
}
