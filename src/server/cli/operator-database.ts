import { resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { joinEmbeddedServer } from '#server/database/embedded-server.ts'
import { createNotices } from '#server/database/notices.ts'
import { type AppDatabase, createDatabase } from '#server/database/pool.ts'
import type { Env } from '#server/env.ts'
import type { Topic } from '#shared/topics.ts'

export interface OperatorDatabase {
  database: AppDatabase
  dataDir: string
  publish: (topic: Topic) => void
  close: () => Promise<void>
}

/**
 * Opens the database that the product uses with the same environment: DATABASE_URL, else the embedded one. Joins a
 * running embedded server, or starts one for the duration of the command.
 */
export async function openOperatorDatabase(env: Env, log: Logger): Promise<OperatorDatabase> {
  const { connection, dataDir, stop } = await reachServer(env, log)
  const database = createDatabase({ connection, log })
  const notices = createNotices({ db: database.db, listenWith: connection, log })
  return {
    database,
    dataDir,
    publish: notices.publish,
    async close() {
      await notices.close()
      await database.close()
      await stop()
    },
  }
}

async function reachServer(
  env: Env,
  log: Logger,
): Promise<{ connection: pg.ClientConfig; dataDir: string; stop: () => Promise<void> }> {
  if (env.DATABASE_URL) {
    const connection = { connectionString: env.DATABASE_URL }
    return { connection, dataDir: resolve(env.DATA_DIR), stop: () => Promise.resolve() }
  }
  return joinEmbeddedServer({ dataDir: env.DATA_DIR, log })
}
