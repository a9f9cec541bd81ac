import type { Logger } from 'pino'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit, NoteRefusal } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { networkOf } from '#server/lib/network.ts'
import { every } from '#server/lib/scheduler.ts'

// ms
const intervalMs = 60_000
const checkEveryMs = 10_000
const maxNetworks = 200
const maxNamed = 5

const detailNames = { 'sign-in-refused': 'reason', 'access-refused': 'path' } as const

type Action = keyof typeof detailNames

interface Collected {
  action: Action
  actor: Actor
  count: number
  what: Set<string>
  writtenAt: number
}

interface RefusalsOptions {
  audit: Audit
  database: AppDatabase
  clock: Clock
  log: Logger
}

/** Security: the first refusal is written at once, later ones within a minute as one entry, so that a flood can't fill the trail or the memory. */
export function createRefusals({ audit, database, clock, log }: RefusalsOptions) {
  const collected = new Map<string, Collected>()

  async function write({ action, actor, count, what }: Collected): Promise<void> {
    const detail = { [detailNames[action]]: [...what].join(', ') }
    try {
      await audit.record(database.db, { action, actor, affected: count, detail })
    } catch (error) {
      // The request is refused even when the trail can't be written.
      log.warn({ err: error, action, count }, 'refusals missing in the audit trail')
    }
  }

  const note: NoteRefusal = async ({ action, actor, what }) => {
    const { key, recordedActor } = entryKeyOf(action, actor)
    const entry = collected.get(key)
    if (!entry) {
      const first = { action, actor: recordedActor, writtenAt: clock().getTime() }
      collected.set(key, { ...first, count: 0, what: new Set() })
      return write({ ...first, count: 1, what: new Set([what]) })
    }
    // Prefers the actor of an attempt at an administrator's account.
    if (entry.count === 0 || actor.name !== '') entry.actor = recordedActor
    entry.count += 1
    if (entry.what.size < maxNamed) entry.what.add(what)
  }

  function entryKeyOf(action: Action, actor: Actor): { key: string; recordedActor: Actor } {
    const key = `${action} ${networkOf(actor.clientAddress)}`
    if (collected.has(key) || collected.size < maxNetworks) return { key, recordedActor: actor }
    return { key: action, recordedActor: { ...actor, clientAddress: '', userAgent: '', requestId: '' } }
  }

  async function writeDue(isLast = false): Promise<void> {
    const now = clock().getTime()
    const due: Collected[] = []
    for (const [key, entry] of collected) {
      if (!isLast && now - entry.writtenAt < intervalMs) continue
      if (entry.count === 0) {
        collected.delete(key)
        continue
      }
      due.push({ ...entry })
      collected.set(key, { ...entry, count: 0, what: new Set(), writtenAt: now })
    }
    for (const entry of due) await write(entry)
  }

  const stop = every(checkEveryMs, () => writeDue())

  return {
    note,
    writeDue,
    async close(): Promise<void> {
      stop()
      await writeDue(true)
    },
  }
}
