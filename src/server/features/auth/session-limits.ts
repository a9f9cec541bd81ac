const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long signing in lasts, in milliseconds. */
export const sessionLimits = {
  /** A working day: a computer left alone over night is signed out. */
  idle: 8 * hour,
  /** Whatever the use, once a week the password is asked for. */
  absolute: 7 * day,
  /** Use is noted at most this often, so that reading pages doesn't write. */
  noteUseEvery: minute,
} as const

/** How long a browser stays known after its last sign-in, in milliseconds. */
export const knownDeviceLifetime = 180 * day

/**
 * How far apart the clocks of processes may be, in milliseconds. What is dated later than that was written while
 * a clock ran ahead, and counts as over: otherwise it would last until the calendar comes to it.
 */
const clockTolerance = 5 * minute

/** The latest moment that another process may take for now. */
export function latestNow(now: Date): Date {
  return new Date(now.getTime() + clockTolerance)
}

/** The moment that lies `milliseconds` before `now`. */
export function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds)
}

/** Which sessions are over at a moment: they lasted too long, were left alone too long, or are of the future. */
export interface Lifetimes {
  /** Sessions that began before this moment are over. */
  startedAfter: Date
  /** Sessions not used since this moment are over. */
  usedAfter: Date
  /** So are sessions used after this moment. None is used before it began. */
  usedUntil: Date
}

export function lifetimesAt(now: Date): Lifetimes {
  return {
    startedAfter: before(now, sessionLimits.absolute),
    usedAfter: before(now, sessionLimits.idle),
    usedUntil: latestNow(now),
  }
}
