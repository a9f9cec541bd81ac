import { calendarDateOf } from '#shared/program-calendar.ts'

/** 'NSTP Portal backup 2026-11-20 1430.nstp', by the program's clock. */
export function backupFileName(at: Date, timeZone: string): string {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return `NSTP Portal backup ${calendarDateOf(at, timeZone)} ${clock.format(at).replace(':', '')}.nstp`
}
