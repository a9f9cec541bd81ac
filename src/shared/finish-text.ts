import { calendarDateOf, perZone } from './program-calendar.ts'

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
