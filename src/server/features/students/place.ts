/** Consecutive records of an order that were counted together: a day, a month, a part of the names. */
export interface Part {
  /** Where it begins in the order. */
  key: string
  /** Where the next one begins, whether it has records or not; null after the last. */
  end: string | null
  count: number
}

/** Rows of a list: so many, after so many. */
export interface PageWindow {
  offset: number
  limit: number
}

/** Where the rows of a page lie, in ascending order. */
export interface Place {
  /** The beginning of the part that holds the first row. */
  startKey: string
  /** The end of the part that holds the last row. */
  endKey: string | null
  /** Records from the start to the first row, and from the last row to the end. */
  before: number
  after: number
  rows: number
}

/** All records of the parts. */
export function totalOfParts(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Finds the rows of a page among the parts of its order.
 *
 * @param parts in ascending order
 * @param isDescending whether the window counts from the order's end
 * @returns null when the page has no rows
 */
export function findPlace(
  parts: readonly Part[],
  { offset, limit }: PageWindow,
  isDescending: boolean,
): Place | null {
  const total = totalOfParts(parts)
  const rows = Math.min(limit, total - offset)
  if (rows <= 0) return null
  const first = isDescending ? total - offset - rows : offset
  const last = first + rows - 1
  const start = partAt(parts, first)
  const end = partAt(parts, last)
  return {
    startKey: start.part.key,
    endKey: end.part.end,
    before: first - start.before,
    after: end.before + end.part.count - 1 - last,
    rows,
  }
}

/** The part that holds the record of a position, counted from 0. */
function partAt(parts: readonly Part[], position: number) {
  let before = 0
  for (const part of parts) {
    if (position < before + part.count) return { part, before }
    before += part.count
  }
  throw new RangeError('There is no record at this position.')
}
