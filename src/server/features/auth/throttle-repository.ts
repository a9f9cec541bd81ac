import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { before, latestNow } from './session-cookies.ts'

/** The counts of failed sign-ins, in the database because every process must see them. */
export function createThrottleRepository(db: Queryable) {
  return {
    /**
     * Counts one more failure and sets the pause that follows it, unless a pause is still running. One
     * statement on one row: of many guesses at once each gets its own number. Failures dated in the future are forgotten.
     *
     * @returns whether it was counted; false while a pause is running
     */
    async count({ key, schedule }: ThrottleSubject, now: Date): Promise<boolean> {
      const pauses = sql`${schedule}::integer[]`
      // A failure without a pause blocks until null, not until now: another process's clock may be behind.
      const { rows } = await sql`
        insert into sign_in_failures as known (subject, failures, last_failure_at, blocked_until)
        values (
          ${key}, 1, ${now},
          ${now}::timestamptz + make_interval(secs => nullif((${pauses})[1], 0))
        )
        on conflict (subject) do update set (failures, last_failure_at, blocked_until) = (
          select counted.failures, ${now}::timestamptz, ${now}::timestamptz + make_interval(
            secs => nullif((${pauses})[least(counted.failures, cardinality(${pauses}))], 0)
          )
          from (
            select case when known.last_failure_at <= ${before(now, forgetFailuresAfter)}
              or known.last_failure_at > ${latestNow(now)} then 1
              else known.failures + 1 end as failures
          ) as counted
        )
        where known.blocked_until is null or known.blocked_until <= ${now}
          or known.last_failure_at > ${latestNow(now)}
        returning failures`.execute(db)
      return rows.length === 1
    },

    /** When the last of the subjects' pauses ends; null when none has one. Index: sign_in_failures_pkey. */
    async blockedUntil(subjects: ThrottleSubject[], now: Date): Promise<Date | null> {
      const { until } = await db
        .selectFrom('signInFailures')
        .select((select) => select.fn.max('blockedUntil').as('until'))
        .where('subject', 'in', keysOf(subjects))
        .where('lastFailureAt', '<=', latestNow(now))
        .executeTakeFirstOrThrow()
      return until
    },

    async clear(subjects: ThrottleSubject[]): Promise<void> {
      await db.deleteFrom('signInFailures').where('subject', 'in', keysOf(subjects)).execute()
    },

    async clearAll(): Promise<void> {
      await db.deleteFrom('signInFailures').execute()
    },

    /** Index: sign_in_failures_last. */
    async deleteForgotten(now: Date): Promise<void> {
      await db
        .deleteFrom('signInFailures')
        .where('lastFailureAt', '<=', before(now, forgetFailuresAfter))
        .execute()
      await db.deleteFrom('signInFailures').where('lastFailureAt', '>', latestNow(now)).execute()
    },
  }
}

function keysOf(subjects: ThrottleSubject[]): string[] {
  return subjects.map(({ key }) => key)
}

const minute = 60
/** After the free tries each failure makes the next wait longer, up to a quarter of an hour, in seconds. */
const growingPauses = [30, minute, 2 * minute, 4 * minute, 8 * minute, 15 * minute]

/** How many seconds must pass after the first failure, the second, and so on; the last stands for all later. */
type ThrottleSchedule = readonly number[]

/** The schedule in which the n-th failure is the first that makes wait. */
function pausesFrom(failure: number): ThrottleSchedule {
  return [...Array<number>(failure - 1).fill(0), ...growingPauses]
}

export const throttleSchedules = {
  /** Guesses at one account, from wherever they come. */
  account: pausesFrom(5),
  /** Guesses from one network at whatever account. A school shares one address: more than one person errs. */
  network: pausesFrom(20),
  /** Guesses from a browser that signed in before, which the other two don't stop. */
  device: pausesFrom(5),
  /** Wrong codes while an administrator sets two-factor sign-in up: a new app and a phone's clock take some tries. */
  'set-up': pausesFrom(10),
} as const

/** Failures are forgotten when none was added for this long, in milliseconds. */
const forgetFailuresAfter = 24 * 60 * 60 * 1000

/** Somebody or something whose failed sign-ins are counted together. */
export interface ThrottleSubject {
  /** Hashed: the table tells neither whose address was typed nor from where. */
  key: string
  schedule: ThrottleSchedule
}

/** The subject of a kind: a lower-case e-mail address, a network (`networkOf`), a device's token or an administrator's id. */
export function throttleSubject(kind: keyof typeof throttleSchedules, identity: string): ThrottleSubject {
  const digest = createHash('sha256').update(`${kind}:${identity}`).digest('base64url')
  return { key: `${kind}:${digest}`, schedule: throttleSchedules[kind] }
}

/** The sentence of a refusal. @param seconds until the next try is heard, at least 1 */
export function throttleSentence(seconds: number): string {
  const [amount, unit] = seconds < minute ? [seconds, 'second'] : [Math.ceil(seconds / minute), 'minute']
  return `Too many failed attempts. Please try again in ${amount} ${unit}${amount === 1 ? '' : 's'}.`
}
