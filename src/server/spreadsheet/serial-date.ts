import { type CalendarDate, perZone } from '#shared/program-calendar.ts'

const dayMs = 86_400_000
/** Day 0 of a workbook's calendar. */
const epoch = Date.UTC(1899, 11, 30)
/** 1 March 1900. The days before are off by one, because spreadsheets know a 29 February 1900. */
const firstSafeDay = 61

/** The number that a spreadsheet keeps for a calendar date, null when it has none for it. */
export function serialDate(date: CalendarDate): number | null {
  const serial = (Date.parse(`${date}T00:00:00Z`) - epoch) / dayMs
  return serial >= firstSafeDay ? serial : null
}

const clocks = perZone(
  (timeZone) => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
)

/** Makes the function that gives the number of an instant as clocks in a time zone show it, to the second. */
export function serialInstants(timeZone: string): (instant: Date) => number {
  const clock = clocks(timeZone)
  return (instant) => {
    const local = Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`)
    return (local - epoch) / dayMs
  }
}
