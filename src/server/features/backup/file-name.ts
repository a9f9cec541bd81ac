import { calendarDateOf, perZone } from '#shared/program-calendar.ts'

const clocks = perZone(
  (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
)

/** 'NSTP Portal backup 2026-11-20 1430.nstp', by the program's clock. */
export function backupFileName(at: Date, timeZone: string): string {
  return `NSTP Portal backup ${calendarDateOf(at, timeZone)} ${clocks(timeZone).format(at).replace(':', '')}.nstp`
}
