/** How much may go out at most. */
export interface Quotas {
  perDay: number
  perMinute: number
}

export const minuteMs = 60_000
export const dayMs = 86_400_000

/** Of a day's quota, what goes to many leaves a tenth to what one person waits for. */
export function bulkPerDay(perDay: number): number {
  return Math.ceil(perDay * 0.9)
}
