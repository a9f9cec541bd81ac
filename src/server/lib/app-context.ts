import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Env } from '#server/env.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { KeptKeys } from '#server/lib/kept-keys.ts'

/** What every feature is made of. */
export interface AppContext {
  env: Env
  database: AppDatabase
  db: AppDatabase['db']
  notices: Notices
  publish: Notices['publish']
  log: Logger
  clock: Clock
  timeZone: string
  isHttps: boolean
  secretKey: Buffer
  keptKeys: KeptKeys
  closing: AbortSignal
  audit: Audit
  // A proxy's header that counts or, once it was seen without TRUST_PROXY, doesn't.
  proxy: { isTrusted: boolean; isIgnored: boolean }
  // Not in development and tests, where exports run in this thread: Node can't read the thread's sources.
  exportThread?: { file: URL; connection: ClientConfig } | undefined
  // Set in tests only; no setting of an operator changes it.
  passwordCost?: { memoryCost: number; timeCost: number; parallelism: number }
}
