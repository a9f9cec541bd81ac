import { calendarDateOf, perZone } from '#shared/program-calendar.ts'

// The quota itself is the setting `mailPerDay` (settings.ts).
// Share of the daily quota reserved for single mail, so that a bulk e-mail of 3,000 can't delay confirmations. A tenth is 45 of the usual 450.
const reservedShare = 0.1

export function reservedPerDay(perDay: number): number {
  return Math.min(perDay - 1, Math.max(1, Math.floor(perDay * reservedShare)))
}

export function bulkPerDay(perDay: number): number {
  return perDay - reservedPerDay(perDay)
}

/** Anybody can cause welcome mail by the enlistment form. */
export function welcomesPerDay(perDay: number): number {
  return Math.ceil(perDay / 2)
}

/** Anybody who knows a reference code and a birth date can cause mail with a code. */
export function codesPerDay(perDay: number): number {
  return Math.ceil(perDay / 5)
}

const dayMs = 24 * 60 * 60 * 1_000

const dayStyle = { weekday: 'long', month: 'short', day: 'numeric' } as const
const formats = perZone((timeZone) => ({
  time: new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en-US', { timeZone, ...dayStyle }),
  dayAndYear: new Intl.DateTimeFormat('en-US', { timeZone, ...dayStyle, year: 'numeric' }),
}))

export function finishText(instant: string | Date, now: Date, timeZone: string): string {
  const end = new Date(instant)
  const dayOf = (date: Date) => calendarDateOf(date, timeZone)
  const { time, day, dayAndYear } = formats(timeZone)
  const clock = time.format(end)
  if (end <= now || dayOf(end) === dayOf(now)) return `about ${clock}`
  if (dayOf(end) === dayOf(new Date(now.getTime() + dayMs))) return `tomorrow at about ${clock}`
  const isThisYear = dayOf(end).slice(0, 4) === dayOf(now).slice(0, 4)
  return `on ${(isThisYear ? day : dayAndYear).format(end)}`
}
