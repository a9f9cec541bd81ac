import { randomUUID } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey as derive } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, Solution } from 'altcha-lib/types'
import type { Context } from 'hono'
import type { AppContext } from '#server/lib/app-context.ts'
import { deriveKey } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { challengeAgeMs } from '#shared/problem.ts'
import type { AppEnv } from './context.ts'
import { rateLimit } from './limits.ts'

export const challengeLimits = {
  // Valid forms; more are unusual. A class after class enlists without noticing anything.
  usual: { points: 300, duration: 3600 },
  usualOfSite: { points: 1500, duration: 3600 },
  // Browsers without scripts, which wait instead of solving.
  waited: { points: 30, duration: 600 },
  waitedOfSite: { points: 300, duration: 600 },
  // The limit of solutions that are wrong. Forms send none.
  madeUp: { points: 60, duration: 60 },
}

const waitMs = 30_000
const lifetimeMs = 30 * 60_000

// About half a million rounds: less than a second of a laptop, some seconds of a slow phone.
const work = { algorithm: 'PBKDF2/SHA-256', cost: 2_000, keyPrefix: '00' }

const noSolution: Solution = { counter: 0, derivedKey: '' }

interface Answer {
  key: string
  age: number
  isSolved: boolean
  isWrong: boolean
  challenge: string
}

interface Expected {
  key: string | undefined
  now: number
  hmacSignatureSecret: string
}

// Computing a key costs as much as an enlistment: only what is signed, in time and may be a solution is tried.
async function readAnswer(
  { solution = noSolution, ...challenge }: Challenge & { solution?: Solution },
  { key, now, hmacSignatureSecret }: Expected,
): Promise<Answer | 'late' | undefined> {
  const { key: ownKey, issuedAt } = challenge.parameters.data ?? {}
  const age = now - Number(issuedAt)
  if (age > lifetimeMs) return 'late'
  const isOfKey = key === undefined || key === ownKey
  if (!isOfKey || !(age >= 0)) return undefined
  const isSent = solution !== noSolution
  // An early solution is refused whether or not it is right.
  const isEarly = isSent && age < challengeAgeMs
  const mayBeSolved = !isEarly && String(solution.derivedKey).startsWith(work.keyPrefix)
  const { verified, invalidSignature } = await verifySolution({
    challenge,
    solution: mayBeSolved ? solution : noSolution,
    deriveKey: derive,
    hmacSignatureSecret,
  })
  if (invalidSignature !== false) return undefined
  return {
    key: String(ownKey),
    age,
    isSolved: verified || isEarly,
    isWrong: isSent && !verified && !isEarly,
    challenge: JSON.stringify(challenge),
  }
}

// A form that waited out an outage sends a late one, in good faith: it is worth as little as none.
const isMadeUp = (text: string, answer: Answer | 'late' | undefined) =>
  answer !== 'late' && (answer ? answer.isWrong : text !== '')

const ofSite = (c: Context<AppEnv>) => c.get('sender') && 'site'

/**
 * Asks for a proof of work while more than usual enlist. A challenge is for one submission key, which is stored once:
 * so no answer counts twice, in any process, and nothing has to be remembered.
 */
export function createChallenges({ secretKey, clock }: Pick<AppContext, 'secretKey' | 'clock'>) {
  const hmacSignatureSecret = deriveKey(secretKey, 'registration challenge').toString('hex')
  const usual = [rateLimit(challengeLimits.usual), rateLimit(challengeLimits.usualOfSite, ofSite)]
  const waited = [rateLimit(challengeLimits.waited), rateLimit(challengeLimits.waitedOfSite, ofSite)]

  const madeUp = rateLimit(challengeLimits.madeUp)

  async function isUnusual(c: Context<AppEnv>): Promise<boolean> {
    const outcomes = await Promise.allSettled(usual.map((limit) => limit.take(c)))
    return outcomes.some(({ status }) => status === 'rejected')
  }

  async function countWaiting(c: Context<AppEnv>): Promise<void> {
    for (const limit of waited) await limit.take(c)
  }

  async function open(text: string, key: string | undefined): ReturnType<typeof readAnswer> {
    try {
      return await readAnswer(JSON.parse(text), { key, now: clock().getTime(), hmacSignatureSecret })
    } catch {
      // No JSON, or not of the shape of a challenge.
      return undefined
    }
  }

  async function issue(key: string): Promise<string> {
    const data = { key, issuedAt: clock().getTime() }
    return JSON.stringify(await createChallenge({ ...work, data, deriveKey: derive, hmacSignatureSecret }))
  }

  const needed = (challenge: string, ms: number) =>
    new AppError('challenge_needed', { challenge, retryAfter: ms / 1000 })

  return {
    /**
     * @param answer the challenge with its solution, or alone after the wait
     * @returns the key to store the submission under
     * @throws AppError `challenge_needed`, or `too_many_requests` when too many wait instead
     */
    async admit(c: Context<AppEnv>, key: string | undefined, answer = ''): Promise<string | undefined> {
      if (c.get('isKnownBrowser') || !(await isUnusual(c))) return key
      const given = await open(answer, key)
      if (isMadeUp(answer, given)) await madeUp.take(c)
      if (!given || given === 'late') throw needed(await issue(key ?? randomUUID()), waitMs)
      const leastAge = given.isSolved ? challengeAgeMs : waitMs
      if (given.age < leastAge) throw needed(given.challenge, leastAge)
      if (!given.isSolved) await countWaiting(c)
      return given.key
    },
  }
}
