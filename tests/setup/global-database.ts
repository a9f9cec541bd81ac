import { once } from 'node:events'
import { createServer } from 'node:net'
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

/** `failure`: the server did not start. */
export type ClusterAnswer = TestCluster | { failure: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** The socket that sends a ClusterAnswer to each who connects. */
    clusterSocket: string
  }
}

const port = 5432
const log = pino({ level: 'silent' })

interface StartedCluster {
  cluster: TestCluster
  stop: () => Promise<void>
}

/**
 * One database server for the whole run, with a migrated database that `createTestDatabase` copies. It is started when a
 * test first asks for it: most tests of the browser's code need none.
 * TEST_POSTGRES_SOCKETS, a socket's folder, selects a running server: `scripts/test-postgres.mjs`
 * starts one of another version.
 */
export async function setup({ provide }: TestProject) {
  const running = process.env.TEST_POSTGRES_SOCKETS
  const folder = makeTemporaryFolder()
  const socket = join(folder.path, 'cluster')
  let started: Promise<StartedCluster> | undefined

  const answers = createServer((asker) => {
    started ??= running ? prepareRunningServer(running) : startServer(join(folder.path, 'data'))
    const answer = started.then(
      ({ cluster }): ClusterAnswer => cluster,
      (error: unknown) => ({ failure: String(error) }),
    )
    void answer.then((known) => asker.end(JSON.stringify(known)))
  })
  answers.listen(socket)
  await once(answers, 'listening')
  provide('clusterSocket', socket)

  return async () => {
    answers.close()
    // One that did not start was reported to who asked for it.
    const [outcome] = await Promise.allSettled([started])
    if (outcome.status === 'fulfilled') await outcome.value?.stop()
    folder.remove()
  }
}

async function startServer(dataDir: string): Promise<StartedCluster> {
  const server = await startEmbeddedServer({
    dataDir,
    log,
    fsync: false,
    settings: { max_connections: '200', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const { host = '', database = '' } = server.connection
  await migrate({ connection: server.connection, log })
  await storeSettings(server.connection)
  return { cluster: { host, port, user: serverRole, template: database }, stop: server.stop }
}

async function prepareRunningServer(host: string): Promise<StartedCluster> {
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
  return { cluster: { host, port, user: serverRole, template }, stop: async () => undefined }
}

async function storeSettings(connection: pg.ClientConfig) {
  const { academicYears, publicAddress } = officeSettings
  const changed = JSON.stringify({ academicYears, publicAddress })
  await runOnce(connection, `update settings set changed = '${changed}'`)
}
