export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export function monthsBefore(now: Date, months: number): Date {
  const date = new Date(now)
  date.setUTCMonth(date.getUTCMonth() - months)
  // A month without that day ends earlier: 31 May less three months is 28 February, not 3 March.
  if (date.getUTCDate() !== now.getUTCDate()) date.setUTCDate(0)
  return date
}
