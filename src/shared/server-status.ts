import type { MailCounts, MailServiceStatus } from './mail.ts'

/** GET /api/status (spec §7, the test tool's server status). */
export interface ServerStatus {
  version: string
  /** When this process began. An ISO text. */
  startedAt: string
  uptimeSeconds: number
  database: {
    reachable: boolean
    /** '' while it is not reachable. */
    version: string
    /** Null where the engine doesn't tell, or isn't reachable. */
    sizeBytes: number | null
  }
  /** How many e-mails stand where; null while the database is not reachable. */
  queue: MailCounts | null
  /** Of the file system with the data; null where it can't be read. */
  disk: { freeBytes: number; totalBytes: number } | null
  email: MailServiceStatus
}
