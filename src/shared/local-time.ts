import { isCalendarDate, perZone } from './program-calendar.ts'

/** 'YYYY-MM-DDTHH:mm' of a `datetime-local` field, without a time zone. */
export type LocalTime = string

/** Undefined for an invalid text. Seconds are left out. */
export function instantOfLocal(text: string, timeZone: string): Date | undefined {
  const [, date, time] =
    /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?$/.exec(text) ?? []
  if (date === undefined || time === undefined || !isCalendarDate(date)) return undefined
  // While a user types a year, it is the year 2 for a moment, of which zones know nothing.
  if (date < '1900' || date > '9000') return undefined
  return instantOf(Date.parse(`${date}T${time}:00Z`), timeZone)
}

/** @param wanted the local time as if it were UTC */
export function instantOf(wanted: number, timeZone: string): Date {
  // The first guess is off by the zone's distance from UTC. That distance may change between the guess and
  // the answer (daylight saving), so it is computed once more at the corrected instant.
  const guess = wanted - zoneOffset(wanted, timeZone)
  const corrected = wanted - zoneOffset(guess, timeZone)
  // Where clocks jump ahead it may be a time that they skip: then the first guess lies after the jump.
  return new Date(corrected + zoneOffset(corrected, timeZone) === wanted ? corrected : guess)
}

export function localTimeOf(instant: Date, timeZone: string): LocalTime {
  return new Date(instant.getTime() + zoneOffset(instant.getTime(), timeZone)).toISOString().slice(0, 16)
}

const clocks = perZone(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
)
// Formatting takes microseconds, for each instant of a list. Zones change at full quarter hours.
const quarterMs = 900_000
const offsets = perZone(() => new Map<number, number>())
// Three years have about as many quarter hours.
const keptOffsets = 100_000

/** ms ahead of UTC. */
export function zoneOffset(instant: number, timeZone: string): number {
  const known = offsets(timeZone)
  const quarter = Math.floor(instant / quarterMs)
  const found = known.get(quarter)
  if (found !== undefined) return found
  const local = clocks(timeZone).format(instant)
  // Formatted to the second: what is left of the instant counts as well.
  const offset = Date.parse(`${local.replace(' ', 'T')}Z`) - (instant - (instant % 1_000))
  if (known.size >= keptOffsets) known.clear()
  known.set(quarter, offset)
  return offset
}
