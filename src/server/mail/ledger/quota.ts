/** How much may go out at most. */
export interface Quotas {
  perDay: number
  perMinute: number
}

export const minuteMs = 60_000
export const dayMs = 86_400_000
