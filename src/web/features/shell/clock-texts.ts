import { perZone } from '#shared/program-calendar.ts'

const formats = perZone((timeZone) => ({
  time: new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', hour12: true }),
  date: new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full' }),
}))

/** '3:07 PM' and 'Friday, November 20, 2026', by the program's calendar. */
export function clockTexts(instant: Date, timeZone: string): { time: string; date: string } {
  const { time, date } = formats(timeZone)
  return {
    // The space before AM/PM is a narrow one in newer ICU versions: an ordinary one keeps server and browser equal.
    time: time.format(instant).replace(/\s/gu, ' '),
    date: date.format(instant),
  }
}
