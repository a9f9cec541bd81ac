// Dates by the program's time zone (TZ_PROGRAM). A 'YYYY-MM-DD' string can't shift by a day.

export type CalendarDate = string

export const monthNames =
  'January February March April May June July August September October November December'.split(' ')

// In whole years (product 2.4).
export const minimumAge = 16

/** Cached by zone: a formatter is slow to create and uses memory outside of the heap, which would grow to gigabytes. */
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

export function calendarDateOf(instant: Date, timeZone: string): CalendarDate {
  return dates(timeZone).format(instant)
}

export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

export function dayAfter(date: CalendarDate): CalendarDate {
  const next = new Date(`${date}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Old enough to enlist, and under 18. */
export function needsGuardian(day: CalendarDate, dateOfBirth: string): boolean {
  if (!isCalendarDate(dateOfBirth)) return false
  const age = ageOn(day, dateOfBirth)
  return age >= minimumAge && age < 18
}

/** A person born on 29 February ages on 1 March in common years. */
export function ageOn(day: CalendarDate, dateOfBirth: CalendarDate): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  // Month and day compare as text because both are two digits.
  return day.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}
