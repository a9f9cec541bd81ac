/**
 * The rows of a piece of a list. Whoever reads one row more than fits learns so whether another piece follows.
 *
 * @param size how many rows a piece has
 * @returns `last` only where another piece follows: it begins behind that row
 */
export function cutPiece<Row>(rows: readonly Row[], size: number): { shown: Row[]; last: Row | undefined } {
  const shown = rows.slice(0, size)
  return { shown, last: rows.length > size ? shown.at(-1) : undefined }
}
