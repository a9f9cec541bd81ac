import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { sha256 } from '#server/lib/digest.ts'
import { missLimits } from '#shared/my/my.ts'

/** What wrong entries are counted for. */
export interface MissSubject {
  // Hashed for privacy: the table contains no address and no code.
  key: string
  // ms: wrong entries are counted together within this time.
  withinMs: number
  // The limit of wrong entries within `withinMs`.
  most: number
  // The limit of wrong entries since the last right one; null for no limit.
  inAll: number | null
}

const keyOf = (kind: 'code' | 'network', identity: string) =>
  `${kind}:${sha256(`${kind}:${identity}`).toString('base64url')}`

/** @param browserId of a browser that opened the code before, which counts apart */
export function codeSubject(reference: string, browserId: string | null): MissSubject {
  return { key: keyOf('code', `${reference} ${browserId ?? ''}`), ...missLimits.code }
}

// How many times the usual limit a network of the school has.
const schoolFactor = 10

export function networkSubject(network: string, isOfSchool: boolean): MissSubject {
  const { most, withinMs } = missLimits.network
  return {
    key: keyOf('network', network),
    withinMs,
    most: most * (isOfSchool ? schoolFactor : 1),
    inAll: null,
  }
}

// ms of clock skew between processes: a count that began later is over.
const clockTolerance = 5 * 60_000
// ms: what was typed wrong long ago is forgotten, of a code that there is and of any other.
const keptMs = 180 * 24 * 60 * 60_000
const fewKeptMs = 30 * 24 * 60 * 60_000

/** The counts are in the database, because every process must see them. By reference_misses_pkey, where nothing else is said. */
export function createMissRepository(db: Queryable) {
  return {
    read: (subjects: readonly MissSubject[]) =>
      db
        .selectFrom('referenceMisses')
        .select(['subject', 'misses', 'since', 'total', 'lastAt'])
        .where('subject', 'in', keysOf(subjects))
        .execute(),

    /**
     * Takes a place of each subject before anything is looked up: of many guesses at once each gets its own number. The
     * order of the subjects is the same everywhere ('code:' before 'network:'), so that two entries can't deadlock.
     * @returns how many subjects had a place
     */
    async take(subjects: readonly MissSubject[], now: Date): Promise<number> {
      const isOver = sql`(known.since <= bound.since or known.since > ${new Date(now.getTime() + clockTolerance)})`
      const sinces = subjects.map(({ withinMs }) => new Date(now.getTime() - withinMs))
      // A limit is found again by its subject, as an insert names no other column.
      const { rows } = await sql`
        with bound as (
          select * from unnest(
            ${keysOf(subjects)}::text[], ${sinces}::timestamptz[],
            ${subjects.map(({ most }) => most)}::integer[], ${subjects.map(({ inAll }) => inAll)}::integer[]
          ) with ordinality as bound (subject, since, most, in_all, place)
        )
        insert into reference_misses as known (subject, misses, since, total, last_at)
        select subject, 1, ${now}::timestamptz, 1, ${now}::timestamptz from bound order by place
        on conflict (subject) do update set (misses, since, total, last_at) = (
          select case when ${isOver} then 1 else known.misses + 1 end,
            case when ${isOver} then ${now}::timestamptz else known.since end, known.total + 1, ${now}::timestamptz
          from bound where bound.subject = known.subject
        )
        where exists (
          select from bound where bound.subject = known.subject
            and (known.misses < bound.most or ${isOver}) and (bound.in_all is null or known.total < bound.in_all)
        )
        returning subject`.execute(db)
      return rows.length
    },

    /** Gives back a place that a right entry had taken at an instant. */
    giveBack: (subject: MissSubject, takenAt: Date) =>
      db
        .updateTable('referenceMisses')
        .set((eb) => ({ misses: eb('misses', '-', 1), total: eb('total', '-', 1) }))
        .where('subject', '=', subject.key)
        .where('since', '<=', takenAt)
        .where('misses', '>', 0)
        .execute(),

    forget: (subjects: readonly MissSubject[]) =>
      db.deleteFrom('referenceMisses').where('subject', 'in', keysOf(subjects)).execute(),

    // Index: reference_misses_last.
    async deleteForgotten(now: Date): Promise<void> {
      const before = (ms: number) => new Date(now.getTime() - ms)
      await db.deleteFrom('referenceMisses').where('lastAt', '<=', before(keptMs)).execute()
      await db
        .deleteFrom('referenceMisses')
        .where('subject', 'like', 'network:%')
        .where('lastAt', '<=', before(missLimits.network.withinMs))
        .execute()
      // Fewer are mistakes of the owner, or of nobody's code.
      await db
        .deleteFrom('referenceMisses')
        .where('subject', 'like', 'code:%')
        .where('total', '<', missLimits.code.most)
        .where('lastAt', '<=', before(fewKeptMs))
        .execute()
    },
  }
}

function keysOf(subjects: readonly MissSubject[]): string[] {
  return subjects.map(({ key }) => key)
}
