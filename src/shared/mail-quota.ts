/** Of a day's quota, what goes to many leaves a tenth to what one person waits for. */
export function bulkPerDay(perDay: number): number {
  return Math.ceil(perDay * 0.9)
}
