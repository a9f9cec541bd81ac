import { resolve } from 'node:path'
import type pg from 'pg'
import type { Logger } from 'pino'
import { ConfigurationError, type Env } from '#server/env.ts'
import { sleep } from '#server/lib/scheduler.ts'
import { type EmbeddedServer, joinEmbeddedServer, startEmbeddedServer } from './embedded-server.ts'
import { codeOf, toAppError } from './errors.ts'
import { runOnce } from './run-once.ts'

// In ms. A server that starts together with us (containers, boot of the machine) needs time.
const timeoutMs = 30_000
const tryEveryMs = 1_000

export type DatabaseServer = EmbeddedServer

/** Starts the embedded database, or waits for the one that DATABASE_URL names. */
export async function startDatabaseServer(env: Env, log: Logger): Promise<DatabaseServer> {
  if (env.DATABASE_URL === undefined) return startEmbeddedServer({ dataDir: env.DATA_DIR, log })
  const connection = { connectionString: env.DATABASE_URL }
  await waitFor(connection, log)
  return elsewhere(connection, env)
}

/** For commands: joins the embedded server of a running product, or starts one as long as needed. */
export async function joinDatabaseServer(env: Env, log: Logger): Promise<DatabaseServer> {
  return env.DATABASE_URL === undefined
    ? joinEmbeddedServer({ dataDir: env.DATA_DIR, log })
    : elsewhere({ connectionString: env.DATABASE_URL }, env)
}

function elsewhere(connection: pg.ClientConfig, env: Env): DatabaseServer {
  const dataDir = resolve(env.DATA_DIR)
  return { connection, dataDir, insteadOf: undefined, pid: () => undefined, stop: async () => undefined }
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
