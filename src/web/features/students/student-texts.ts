/** What stands for a missing value (spec §2). */
export const missing = 'N/A'

export function orMissing(text: string): string {
  return text === '' ? missing : text
}

/** 'Dela Cruz, Juan Miguel Peña': last, first middle (spec §2). */
export function listName(name: { lastName: string; firstName: string; middleName: string }): string {
  const given = `${name.firstName} ${name.middleName}`.trim()
  return [name.lastName, given].filter((part) => part !== '').join(', ') || missing
}

type Style = Intl.DateTimeFormatOptions

const day: Style = { year: 'numeric', month: 'short', day: 'numeric' }
const dayAndTime: Style = { ...day, hour: 'numeric', minute: '2-digit' }
const calendarDay = new Intl.DateTimeFormat('en-US', { ...day, timeZone: 'UTC' })

/** How instants are written by the clocks of a time zone. */
export function createInstantTexts(timeZone: string) {
  const days = new Intl.DateTimeFormat('en-US', { ...day, timeZone })
  const moments = new Intl.DateTimeFormat('en-US', { ...dayAndTime, timeZone })
  return {
    /** An ISO instant as a day: 'Nov 20, 2026'. */
    dayOf: (instant: string) => days.format(new Date(instant)),
    /** An ISO instant with its time: 'Nov 20, 2026, 10:15 AM'. */
    momentOf: (instant: string) => moments.format(new Date(instant)),
  }
}

export type InstantTexts = ReturnType<typeof createInstantTexts>

/** A calendar date, which has no time zone: '2007-05-14' → 'May 14, 2007'. */
export function dateOf(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(time) ? date : calendarDay.format(time)
}

/** 'Aug 1 – Dec 31, 2026': the days that a period covers. */
export function rangeOf({ first, last }: { first: string; last: string }): string {
  return calendarDay.formatRange(Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`))
}

/** '1 student', '2,000 students'. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : `${noun}s`}`
}
