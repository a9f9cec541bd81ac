import type pg from 'pg'
import pino from 'pino'
import { createApp } from '#server/app.ts'
import { createNotices } from '#server/database/notices.ts'
import { type Env, readEnv } from '#server/env.ts'
import { listen } from '#server/listen.ts'
import { adminEmail, adminPassword } from './administrator.ts'
import { signInOverHttp } from './sign-in.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

interface TestServerOptions {
  /** Variables beside the defaults of a test: no limits, no log, a known administrator. */
  env?: Record<string, string>
  /** The instant that the product takes for now. */
  now?: Date
  /** Whether answers that are the same for everybody are kept; a test that writes past the product wants none. */
  keepsAnswers?: boolean
  /** How the one connection that hears of changes is opened, if not as the others. */
  listenWith?: pg.ClientConfig
  /** A database to share with another server; otherwise the server gets one of its own. */
  database?: TestDatabase
}

export interface TestServer {
  url: string
  env: Env
  database: TestDatabase
  /** Signs the administrator in; gives the `Cookie` header of the new session. */
  signIn: () => Promise<string>
  close: () => Promise<void>
}

/** The real application on a real port, with a database of its own: as it runs, without the pages. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const env = readEnv({
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: 'off',
    ...options.env,
  })
  const log = pino({ level: 'silent' })
  const closing = new AbortController()
  const notices = createNotices({
    db: database.db,
    listenWith: options.listenWith ?? database.connection,
    log,
  })
  const app = createApp({
    env,
    database,
    notices,
    log,
    clock: () => options.now ?? new Date(),
    closing: closing.signal,
    secretKey: Buffer.from('the secret key of every test server'),
    keepsAnswers: options.keepsAnswers ?? false,
  })
  await app.load()
  await app.administrators.ensureFirstAdministrator({ email: adminEmail, password: adminPassword })
  const { url, stop } = await listen({
    fetch: app.fetch,
    host: '127.0.0.1',
    port: 0,
    middleware: app.answerWarm,
  })

  return {
    url,
    env,
    database,
    signIn: () => signInOverHttp(url),
    async close() {
      closing.abort()
      await stop()
      await app.close()
      await notices.close()
      if (!options.database) await database.close()
    },
  }
}
