import { calendarDateOf, perZone } from '#shared/program-calendar.ts'

/**
 * Of a day's quota, the share that what goes to many leaves to what one person waits for: without it a bulk e-mail to
 * 3,000 would hold up the confirmations of everybody who enlists that day. A tenth is 45 of the usual 450, more than
 * enlist on most days, and makes a bulk e-mail only a tenth slower.
 */
export const keptShare = 0.1

/** How many of a day's quota are kept for what one person waits for: at least one, but never all. */
export function keptPerDay(perDay: number): number {
  return Math.min(perDay - 1, Math.max(1, Math.floor(perDay * keptShare)))
}

/** How many of a day's quota may go to many. */
export function bulkPerDay(perDay: number): number {
  return perDay - keptPerDay(perDay)
}

const dayMs = 24 * 60 * 60 * 1_000

const dayStyle = { weekday: 'long', month: 'short', day: 'numeric' } as const
const formats = perZone((timeZone) => ({
  time: new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' }),
  day: new Intl.DateTimeFormat('en-US', { timeZone, ...dayStyle }),
  dayAndYear: new Intl.DateTimeFormat('en-US', { timeZone, ...dayStyle, year: 'numeric' }),
}))

/**
 * When something that takes a while will end, as people say it: 'at about 3:15 PM', 'tomorrow at about 9:05 AM',
 * 'on Thursday, Nov 26', 'on Sunday, May 16, 2027'.
 *
 * @param instant in ISO
 */
export function finishText(instant: string, now: Date, timeZone: string): string {
  const end = new Date(instant)
  const dayOf = (date: Date) => calendarDateOf(date, timeZone)
  const { time, day, dayAndYear } = formats(timeZone)
  const clock = time.format(end)
  if (end <= now || dayOf(end) === dayOf(now)) return `at about ${clock}`
  if (dayOf(end) === dayOf(new Date(now.getTime() + dayMs))) return `tomorrow at about ${clock}`
  const isThisYear = dayOf(end).slice(0, 4) === dayOf(now).slice(0, 4)
  return `on ${(isThisYear ? day : dayAndYear).format(end)}`
}
