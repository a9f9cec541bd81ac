import { createHash } from 'node:crypto'

const minute = 60
/** After the free tries each failure makes the next wait longer, up to a quarter of an hour, in seconds. */
const growingPauses = [30, minute, 2 * minute, 4 * minute, 8 * minute, 15 * minute]

/** How many seconds must pass after the first failure, the second, and so on; the last stands for all later. */
export type ThrottleSchedule = readonly number[]

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
export const forgetFailuresAfter = 24 * 60 * 60 * 1000

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
