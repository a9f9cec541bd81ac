import type { Logger } from 'pino'
import { createNotices } from '#server/database/notices.ts'
import { createDatabase } from '#server/database/pool.ts'
import { joinDatabaseServer } from '#server/database/server.ts'
import type { Env } from '#server/env.ts'

export type OperatorDatabase = Awaited<ReturnType<typeof openOperatorDatabase>>

/** Opens the database that the product uses with the same environment, whether or not it runs. */
export async function openOperatorDatabase(env: Env, log: Logger) {
  const { connection, dataDir, stop } = await joinDatabaseServer(env, log)
  const database = createDatabase({ connection, log })
  const notices = createNotices({ db: database.db, listenWith: connection, log })
  return {
    database,
    dataDir,
    publish: notices.publish,
    async close(): Promise<void> {
      await notices.close()
      await database.close()
      await stop()
    },
  }
}
