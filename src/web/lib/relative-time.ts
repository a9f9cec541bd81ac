import { useEffect, useState } from 'react'
import { dayStyle } from './date-texts.ts'
import { countOf } from './number-texts.ts'
import { runEvery } from './timers.ts'

const refreshMs = 60_000

const words = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units = [
  { unit: 'year', seconds: 365 * day },
  { unit: 'month', seconds: 30 * day },
  { unit: 'week', seconds: 7 * day },
  { unit: 'day', seconds: day },
  { unit: 'hour', seconds: hour },
  { unit: 'minute', seconds: minute },
] as const

/** 'just now', '5 minutes ago', 'yesterday'. Clock skew never gives the future. */
export function relativeTime(instant: string, now: Date): string {
  const passed = Math.floor((now.getTime() - Date.parse(instant)) / 1000)
  const fitting = units.find(({ seconds }) => passed >= seconds)
  return fitting ? words.format(-Math.floor(passed / fitting.seconds), fitting.unit) : 'just now'
}

/** Rounded: '6 days', '1 hour', 'less than a minute'; null when it is over. */
export function timeLeft(end: string, now: Date): string | null {
  const left = Math.floor((Date.parse(end) - now.getTime()) / 1000)
  if (left < 0) return null
  const fitting = units.find(({ seconds }) => left >= seconds)
  return fitting ? countOf(Math.round(left / fitting.seconds), fitting.unit) : 'less than a minute'
}

/** Renewed each minute, and when the data changes. */
export function useNow(data: unknown): Date {
  const [present, setPresent] = useState({ now: new Date(), data })
  if (present.data !== data) setPresent({ now: new Date(), data })
  useEffect(() => runEvery(refreshMs, () => setPresent((last) => ({ ...last, now: new Date() }))), [])
  return present.now
}

const calendarDay = new Intl.DateTimeFormat('en-US', { ...dayStyle, timeZone: 'UTC' })

/** '2007-05-14' → 'May 14, 2007', without a time zone. */
export function dateOf(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(time) ? date : calendarDay.format(time)
}

const writtenDay = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** '2006-03-15' → 'March 15, 2006'; other texts are returned unchanged. */
export function writtenDate(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(time) ? date : writtenDay.format(time)
}

/** 'Aug 1 – Dec 31, 2026'. */
export function rangeOf({ first, last }: { first: string; last: string }): string {
  const timeOf = (date: string) => Date.parse(`${date}T00:00:00Z`)
  // Node has thin spaces here and Chromium hasn't: the server's HTML must be the browser's.
  return calendarDay.formatRange(timeOf(first), timeOf(last)).replaceAll('\u2009', ' ')
}
