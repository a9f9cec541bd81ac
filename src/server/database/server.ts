import { resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { ConfigurationError, type Env } from '#server/env.ts'
import { sleep } from '#server/lib/scheduler.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import { codeOf, toAppError } from './errors.ts'
import { runOnce } from './run-once.ts'

// In ms. A server that starts together with us (containers, boot of the machine) needs time.
const timeoutMs = 30_000
const tryEveryMs = 1_000

export interface DatabaseServer {
  connection: pg.ClientConfig
  dataDir: string
  // The requested folder, when the database's user can't enter it and `dataDir` is another.
  insteadOf: string | undefined
  pid: () => number | undefined
  stop: () => Promise<void>
}

/** Starts the embedded database, or waits for the one that DATABASE_URL names. */
export async function startDatabaseServer(env: Env, log: Logger): Promise<DatabaseServer> {
  if (env.DATABASE_URL !== undefined) return reachOwnServer(env.DATABASE_URL, env, log)
  return startEmbeddedServer({ dataDir: env.DATA_DIR, log })
}

async function reachOwnServer(connectionString: string, env: Env, log: Logger): Promise<DatabaseServer> {
  const connection = { connectionString }
  await waitFor(connection, log)
  return {
    connection,
    dataDir: resolve(env.DATA_DIR),
    insteadOf: undefined,
    pid: () => undefined,
    stop: async () => undefined,
  }
}

async function waitFor(connection: pg.ClientConfig, log: Logger) {
  for (const end = Date.now() + timeoutMs; ; ) {
    try {
      return await runOnce(connection, 'select 1')
    } catch (cause) {
      // A wrong password won't become right; a server that isn't there yet may come.
      if (!toAppError(cause) || Date.now() > end) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new ConfigurationError(`The database that DATABASE_URL names can't be used: ${reason}.`, {
          cause,
        })
      }
      log.warn({ code: codeOf(cause) }, 'waiting for the database that DATABASE_URL names')
    }
    await sleep(tryEveryMs)
  }
}
