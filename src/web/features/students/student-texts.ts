import { dayStyle } from '#web/lib/instant-texts.ts'

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

const calendarDay = new Intl.DateTimeFormat('en-US', { ...dayStyle, timeZone: 'UTC' })

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
