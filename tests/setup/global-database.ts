import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { serverRole } from '#server/database/embedded/cluster.ts'
import { startEmbeddedServer } from '#server/database/embedded-server.ts'
import { migrate } from '#server/database/migrate.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface TestCluster {
  host: string
  port: number
  user: string
  /** The migrated database that tests copy. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestCluster
  }
}

const port = 5432

/** One database server for the whole run, with a migrated database that `createTestDatabase` copies. */
export async function setup({ provide }: TestProject) {
  const log = pino({ level: 'silent' })
  const folder = makeTemporaryFolder()
  const server = await startEmbeddedServer({
    dataDir: join(folder.path, 'data'),
    log,
    fsync: false,
    settings: { max_connections: '200', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const { host = '', database = '' } = server.connection
  await migrate({ connection: server.connection, log })
  provide('cluster', { host, port, user: serverRole, template: database })

  return async () => {
    await server.stop()
    folder.remove()
  }
}
