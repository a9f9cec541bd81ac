import { resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { joinEmbeddedServer } from '#server/database/embedded-server.ts'
import { createNotices } from '#server/database/notices.ts'
import { type AppDatabase, createDatabase } from '#server/database/pool.ts'
import type { Env } from '#server/env.ts'
import type { Topic } from '#shared/topics.ts'

/** The product's database for a command that the operator runs, whether or not the product runs too. */
export interface OperatorDatabase {
  database: AppDatabase
  /** The product's own folder, with its secret key. */
  dataDir: string
  /** Tells the processes of a running product what changed. */
  publish: (topic: Topic) => void
  close: () => Promise<void>
}

/**
 * Opens the database that the product uses with the same environment: DATABASE_URL, else the embedded one. That
 * is joined where the product runs on it, and started for as long as the command takes where nothing does.
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
