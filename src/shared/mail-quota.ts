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
