import { dayStyle } from './instant-texts.ts'

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
