import type pg from 'pg'
import pino, { type Logger } from 'pino'
import { createApp } from '#server/app.ts'
import { createNotices } from '#server/database/notices.ts'
import { type Env, readEnv } from '#server/env.ts'
import { keptKeysOf } from '#server/lib/kept-keys.ts'
import { listen } from '#server/listen.ts'
import type { Topic } from '#shared/topics.ts'
import { adminEmail, adminPassword, cheapestCost, endFirstPassword } from './administrator.ts'
import { signInOverHttp } from './sign-in.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export const testSecretKey = Buffer.from('the secret key of every test server')
export const testKeys = keptKeysOf(testSecretKey)

export interface TestServerOptions {
  // On top of the tests' defaults: no limits, no log, a known administrator.
  env?: Record<string, string>
  now?: Date
  // The response cache; a test that writes directly to the database must disable it.
  cachesResponses?: boolean
  // For the connection that listens for notices, if not as the others.
  listenWith?: pg.ClientConfig
  database?: TestDatabase
  hasFirstPassword?: boolean
  log?: Logger
}

export interface TestServer {
  url: string
  env: Env
  database: TestDatabase
  /** Returns the `Cookie` header of the new session. */
  signIn: (password?: string) => Promise<string>
  /** The hourly clean-up. */
  sweep: () => Promise<unknown>
  administrators: ReturnType<typeof createApp>['administrators']
  /** Of the response cache; undefined for an address that it doesn't cache. */
  cachedTopicsOf: (address: string) => readonly Topic[] | undefined
  /** Calls back for each topic that the product announces. */
  onPublish: (listener: (topic: Topic) => void) => void
  close: () => Promise<void>
}

/** The real application without the pages, on a real port, with its own database. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase())
  const env = readEnv({
    ADMIN_EMAIL: adminEmail,
    ADMIN_PASSWORD: adminPassword,
    RATE_LIMITS: 'off',
    API_DOCS: 'public',
    MAIL_PORTS: 'any',
    ...options.env,
  })
  const { log = pino({ level: 'silent' }) } = options
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
    secretKey: testSecretKey,
    keptKeys: testKeys,
    passwordCost: cheapestCost,
    cachesResponses: options.cachesResponses ?? false,
  })
  await app.load()
  await app.administrators.ensureFirstAdministrator({ email: adminEmail, password: adminPassword })
  if (!options.hasFirstPassword) await endFirstPassword(database.db)
  const { url, stop } = await listen({
    fetch: app.fetch,
    host: '127.0.0.1',
    port: 0,
    middleware: app.respondFromCache,
  })

  return {
    url,
    env,
    database,
    signIn: (password) => signInOverHttp(url, password),
    sweep: app.sweep,
    administrators: app.administrators,
    onPublish: notices.onPublish,
    cachedTopicsOf: (address) => app.cachedTopicsOf?.(address),
    async close() {
      closing.abort()
      await stop()
      await app.close()
      await notices.close()
      if (!options.database) await database.close()
    },
  }
}
