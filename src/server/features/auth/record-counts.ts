import { LRUCache } from 'lru-cache'
import type { RecordCounts } from '#server/http/context.ts'
import type { ChangeContext } from '#server/lib/change.ts'
import { deskRoles, type Role } from '#shared/people/permissions.ts'
import { isWithin, sessionLimits } from './session-cookies.ts'
import { createSessionRepository } from './session-repository.ts'

// A session without a fresh sign-in reads 300 at most, so this is room for a hundred of them.
const maxRemembered = 30_000

interface ReadRecord {
  at: Date
  isTaken: Promise<boolean>
}

/** Counts what each session reads and removes of students, in its row: a borrowed session should do little. */
export function createRecordCounts({
  database,
  audit,
  clock,
}: Pick<ChangeContext, 'database' | 'audit' | 'clock'>) {
  const sessions = createSessionRepository(database.db)
  const { cost, most, within, removalsNoticed } = sessionLimits.records
  // The keys name session and record. What another process or an earlier start remembers is counted once more here.
  const remembered = new LRUCache<string, ReadRecord>({ max: maxRemembered })

  return (tokenHash: Buffer, role: Role): RecordCounts => {
    const take = (taken: number) =>
      sessions.takeRecords(
        tokenHash,
        { cost: taken, most: deskRoles.includes(role) ? most.desk : most.others },
        clock(),
      )

    async function takeNew(keys: readonly string[]): Promise<boolean> {
      let isTaken = false
      try {
        isTaken = await take(keys.length * cost.read)
        return isTaken
      } finally {
        if (!isTaken) for (const key of keys) remembered.delete(key)
      }
    }

    return {
      async takeRecords(records) {
        if (typeof records === 'number') return await take(records * cost.read)
        const now = clock()
        const earlierOf = (key: string) => {
          const earlier = remembered.get(key)
          return earlier && isWithin(earlier.at, within, now) ? earlier : undefined
        }
        const keys = [...new Set(records)].map((id) => `${tokenHash.toString('base64')} ${id}`)
        const taken = keys.flatMap((key) => earlierOf(key)?.isTaken ?? [])
        const fresh = keys.filter((key) => !earlierOf(key))
        const isTaken = fresh.length === 0 || takeNew(fresh)
        // Race: a screen asks for a record and what belongs to it at once, and the first decides for all.
        for (const key of fresh) remembered.set(key, { at: now, isTaken: Promise.resolve(isTaken) })
        return (await Promise.all([...taken, isTaken])).every(Boolean)
      },

      takeRemovals: (count) => take(count * cost.remove),

      async noteRemovals(count, actor) {
        if (count === 0) return
        await database.transact(async (tx) => {
          const removals = await createSessionRepository(tx).addRemovals(tokenHash, count, clock())
          // Race: each of two at once adds to the other's, so one of them passes the number.
          if (removals < removalsNoticed || removals - count >= removalsNoticed) return
          await audit.record(tx, { action: 'many-removed', actor, affected: removals })
        })
      },
    }
  }
}
