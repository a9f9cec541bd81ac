/**
 * Dates by the program's calendar (Asia/Manila unless TZ_PROGRAM says otherwise). A calendar date is a
 * 'YYYY-MM-DD' string: it has no time and no zone, so it can't shift by a day on its way to a screen.
 */

export type CalendarDate = string

/**
 * What is made of a time zone, made once for each. A formatter takes longer to make than a registration to check,
 * and holds memory outside of the heap, which the garbage collector doesn't see: made at every call, it grows to
 * gigabytes.
 */
export function perZone<T>(make: (timeZone: string) => T): (timeZone: string) => T {
  const made = new Map<string, T>()
  return (timeZone) => {
    const existing = made.get(timeZone)
    if (existing !== undefined) return existing
    const value = make(timeZone)
    made.set(timeZone, value)
    return value
  }
}

// The Swedish locale writes dates as YYYY-MM-DD.
const dates = perZone(
  (timeZone) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)

/** The calendar date of an instant in a time zone: 2026-11-20T23:00Z in Asia/Manila → '2026-11-21'. */
export function calendarDateOf(instant: Date, timeZone: string): CalendarDate {
  return dates(timeZone).format(instant)
}

/** Whether the text is a date that exists: '2024-02-29' does, '2023-02-29' and '2024-2-9' don't. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** The day after a date. */
export function dayAfter(date: CalendarDate): CalendarDate {
  const next = new Date(`${date}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/**
 * Whole years between a birth date and a day. A person born on 29 February grows older on 1 March in
 * common years: on 28 February the year isn't complete yet.
 */
export function ageOn(day: CalendarDate, dateOfBirth: CalendarDate): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  // Month and day compare as text because both are two digits.
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
