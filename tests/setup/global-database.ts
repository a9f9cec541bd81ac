import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { TestProject } from 'vitest/node'
import { startEmbeddedServer } from '#server/database/embedded-server.ts'
import { migrate } from '#server/database/migrate.ts'

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
const user = 'nstp'

/** One database server for the whole run, with a migrated database that `createTestDatabase` copies. */
export async function setup({ provide }: TestProject) {
  const log = pino({ level: 'silent' })
  const root = mkdtempSync(join(tmpdir(), 'nstp-test-'))
  // Run by root, the database's user has to pass through.
  chmodSync(root, 0o711)
  const server = await startEmbeddedServer({
    dataDir: join(root, 'data'),
    log,
    fsync: false,
    settings: { max_connections: '200', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const { host = '', database = '' } = server.connection
  await migrate({ connection: server.connection, log })
  provide('cluster', { host, port, user, template: database })

  return async () => {
    await server.stop()
    for (const dir of [root, server.dataDir]) rmSync(dir, { recursive: true, force: true })
  }
}
