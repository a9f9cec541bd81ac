import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import type { Token } from './session-cookies.ts'
import {
  createThrottleRepository,
  type ThrottleSubject,
  throttleSentence,
  throttleSubject,
} from './throttle-repository.ts'

interface Attempt {
  email: string
  clientAddress: string
  knownDevice: Token | null
}

/** Security: a known device counts only its own failures, so attackers can't lock the owner out. */
export function subjectsOf({ email, clientAddress, knownDevice }: Attempt): ThrottleSubject[] {
  if (knownDevice) return [throttleSubject('device', knownDevice.text)]
  return [throttleSubject('account', email), throttleSubject('network', networkOf(clientAddress))]
}

/**
 * Race: counted before the password is checked, so that parallel guesses can't pass.
 * @throws AppError `too_many_requests` while a pause is running
 */
export async function countAttempt(
  database: AppDatabase,
  subjects: ThrottleSubject[],
  now: Date,
): Promise<void> {
  // During a pause attempts are refused by a read: they neither wait for the row's lock nor block others.
  const pausedUntil = await createThrottleRepository(database.db).blockedUntil(subjects, now)
  if (pausedUntil && pausedUntil > now) throw refusal(now, pausedUntil)

  await database.transact(async (tx) => {
    const throttle = createThrottleRepository(tx)
    // In the same order everywhere ('account:' before 'network:'), so that two attempts can't deadlock.
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
