import type { MailCounts, MailServiceStatus } from './mail.ts'

/** The tool that talks to the configured mail server, and shows what was said. */

export const serverTestSteps = ['connect', 'authenticate', 'send'] as const
export type ServerTestStep = (typeof serverTestSteps)[number]

/** One line of a conversation; `note` is what happened between the lines. */
export interface ConversationLine {
  by: 'client' | 'server' | 'note'
  text: string
}

/** What a step came to. */
export interface ServerTestResult {
  step: ServerTestStep
  ok: boolean
  /** What happened, as a sentence. */
  verdict: string
  /** Without the password, and without anything that it could be read from. */
  lines: ConversationLine[]
  tookMs: number
}

/** What stands in the place of a secret. */
export const notShown = '(not shown)'

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
