import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import { before, latestNow, type Token } from './session-cookies.ts'

// rate-limiter-flexible has no growing pauses and counts in the database's time: decision 027.

/** The counts are in the database, because every process must see them. */
export function createThrottleRepository(db: Queryable) {
  const { all } = queriesOf(db)
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
      const rows = await all`
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
            select case when known.last_failure_at <= ${before(now, failureLifetime)}
              or known.last_failure_at > ${latestNow(now)} then 1
              else known.failures + 1 end as failures
          ) as counted
        )
        where known.blocked_until is null or known.blocked_until <= ${now}
          or known.last_failure_at > ${latestNow(now)}
        returning failures`
      return rows.length === 1
    },

    // Index: sign_in_failures_pkey.
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

    // Index: sign_in_failures_last.
    async deleteForgotten(now: Date): Promise<void> {
      await db
        .deleteFrom('signInFailures')
        .where('lastFailureAt', '<=', before(now, failureLifetime))
        .execute()
      await db.deleteFrom('signInFailures').where('lastFailureAt', '>', latestNow(now)).execute()
    },
  }
}

function keysOf(subjects: ThrottleSubject[]): string[] {
  return subjects.map(({ key }) => key)
}

const minute = 60
// seconds
const growingPauses = [30, minute, 2 * minute, 4 * minute, 8 * minute, 15 * minute]

// Seconds after the first failure, the second, …; the last repeats.
type ThrottleSchedule = readonly number[]

function pausesFrom(failure: number): ThrottleSchedule {
  return [...Array<number>(failure - 1).fill(0), ...growingPauses]
}

export const throttleSchedules = {
  account: pausesFrom(5),
  // A school shares one address.
  network: pausesFrom(20),
  // Failures of a known browser, a recovery or a new app count apart from those of the account and of the network.
  device: pausesFrom(5),
  recovery: pausesFrom(5),
  // New apps and skewed phone clocks take some tries.
  'set-up': pausesFrom(10),
} as const

// ms
const failureLifetime = 24 * 60 * 60 * 1000

export interface ThrottleSubject {
  // Hashed for privacy: the table contains no address.
  key: string
  schedule: ThrottleSchedule
}

export function throttleSubject(kind: keyof typeof throttleSchedules, identity: string): ThrottleSubject {
  const digest = sha256(`${kind}:${identity}`).toString('base64url')
  return { key: `${kind}:${digest}`, schedule: throttleSchedules[kind] }
}

interface Attempt {
  email: string
  clientAddress: string
  knownDevice: Token | null
  holdsRecoveryCode?: boolean
}

/**
 * Security: a known device and a recovery code count only their own failures, so attackers can't lock the owner out. Not so
 * the app's six digits: they could be guessed during a pause.
 */
export function subjectsOf(attempt: Attempt): ThrottleSubject[] {
  const { email, clientAddress, knownDevice, holdsRecoveryCode } = attempt
  if (knownDevice) return [throttleSubject('device', knownDevice.text)]
  if (holdsRecoveryCode) return [throttleSubject('recovery', email)]
  return [throttleSubject('account', email), throttleSubject('network', networkOf(clientAddress))]
}

/** Race: counted before the password is checked, so that parallel guesses can't pass. */
export async function countAttempt(
  database: Pick<AppDatabase, 'db' | 'transact'>,
  subjects: ThrottleSubject[],
  now: Date,
): Promise<void> {
  // During a pause attempts are refused by a read: they neither wait for the row's lock nor block others.
  const pausedUntil = await createThrottleRepository(database.db).blockedUntil(subjects, now)
  if (pausedUntil && pausedUntil > now) throw refusal(now, pausedUntil)

  await database.transact(async (tx) => {
    const throttle = createThrottleRepository(tx)
    // The order is the same everywhere ('account:' before 'network:'), so that two attempts can't deadlock.
    for (const subject of subjects) {
      if (await throttle.count(subject, now)) continue
      const until = await throttle.blockedUntil(subjects, now)
      throw refusal(now, until ?? now)
    }
  })
}

function refusal(now: Date, until: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return new AppError('too_many_requests', { detail: throttleSentence(retryAfter), retryAfter })
}

/** @param seconds at least 1 */
export function throttleSentence(seconds: number): string {
  const [amount, unit] = seconds < minute ? [seconds, 'second'] : [Math.ceil(seconds / minute), 'minute']
  return `Too many failed attempts. Please try again in ${amount} ${unit}${amount === 1 ? '' : 's'}.`
}
