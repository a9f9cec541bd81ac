import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import { type MailCounts, type MailServiceStatus, mailStates } from '#shared/mail.ts'
import type { ServerStatus } from '#shared/server-status.ts'
import { createServerFacts } from './repository.ts'

interface ServerStatusOptions {
  db: Queryable
  /** The folder with the data. */
  dataDir: string
  version: string
  email: () => Promise<MailServiceStatus>
  clock: Clock
  log: Logger
}

export type ServerStatusService = ReturnType<typeof createServerStatus>

/** How the server is. What can't be found out is said to be so: the rest is told all the same. */
export function createServerStatus({ db, dataDir, version, email, clock, log }: ServerStatusOptions) {
  const facts = createServerFacts(db)
  const startedAt = clock()

  /** What `read` gives; null when it fails, which the log tells. */
  async function unlessItFails<T>(what: string, read: () => Promise<T>): Promise<T | null> {
    try {
      return await read()
    } catch (error) {
      log.warn({ err: error, what }, 'not found out for the server status')
      return null
    }
  }

  async function readDisk() {
    const { bavail, blocks, bsize } = await statfs(dataDir)
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
  }

  return async (): Promise<ServerStatus> => {
    const [database, queue, disk, emailStatus] = await Promise.all([
      unlessItFails('database', facts.readDatabase),
      unlessItFails('queue', async () => completeCounts(await facts.countMessages())),
      unlessItFails('disk', readDisk),
      email(),
    ])
    return {
      version,
      startedAt: startedAt.toISOString(),
      uptimeSeconds: Math.floor(process.uptime()),
      database: database
        ? { reachable: true, ...database }
        : { reachable: false, version: '', sizeBytes: null },
      queue,
      disk,
      email: emailStatus,
    }
  }
}

function completeCounts(counted: readonly { state: string; count: number }[]): MailCounts {
  const counts = { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
  for (const state of mailStates) {
    counts[state] = counted.find((row) => row.state === state)?.count ?? 0
  }
  return counts
}
