const dayMs = 24 * 60 * 60 * 1_000

/**
 * When something that takes a while will end, as people say it: 'at about 3:15 PM', 'tomorrow at about 9:05 AM',
 * 'on Thursday, Nov 26', 'on Sunday, May 16, 2027'.
 *
 * @param instant in ISO
 */
export function finishText(instant: string, now: Date, timeZone: string): string {
  const end = new Date(instant)
  const dayOf = (date: Date) => date.toLocaleDateString('en-CA', { timeZone })
  const time = end.toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
  if (end <= now || dayOf(end) === dayOf(now)) return `at about ${time}`
  if (dayOf(end) === dayOf(new Date(now.getTime() + dayMs))) return `tomorrow at about ${time}`
  const isThisYear = dayOf(end).slice(0, 4) === dayOf(now).slice(0, 4)
  const day = { timeZone, weekday: 'long', month: 'short', day: 'numeric' } as const
  return `on ${end.toLocaleDateString('en-US', isThisYear ? day : { ...day, year: 'numeric' })}`
}
