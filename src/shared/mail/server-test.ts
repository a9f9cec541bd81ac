import type { MailCounts, MailServiceStatus } from './mail.ts'

export const serverTestSteps = ['connect', 'authenticate', 'send'] as const
export type ServerTestStep = (typeof serverTestSteps)[number]

export interface ConversationLine {
  by: 'client' | 'server' | 'note'
  text: string
}

export interface ServerTestResult {
  step: ServerTestStep
  ok: boolean
  verdict: string
  // Security: without the password or its encodings.
  lines: ConversationLine[]
  tookMs: number
}

export const notShown = '(not shown)'

/** GET /api/status (spec §7). */
export interface ServerStatus {
  version: string
  startedAt: string
  uptimeSeconds: number
  database: {
    reachable: boolean
    version: string
    sizeBytes: number | null
  }
  queue: MailCounts | null
  disk: { freeBytes: number; totalBytes: number } | null
  email: MailServiceStatus
}
