import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Env } from '#server/env.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'

/** What services are made from. */
export interface Foundation {
  env: Env
  database: AppDatabase
  notices: Notices
  log: Logger
  clock: Clock
  /** Signs receipts and encrypts stored secrets. */
  secretKey: Buffer
  /** Aborts when the server stops. */
  closing: AbortSignal
  audit: Audit
}
