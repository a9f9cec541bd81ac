import { validate as isUuid } from 'uuid'
import { invalid } from './errors.ts'

/** A keyset position in a list with the newest first: behind this instant and id. */
export interface Position {
  at: Date
  id: string
}

/**
 * The position of a cursor; null for '', the beginning.
 * @throws AppError `invalid` for a malformed cursor
 */
export function decodeCursor(cursor: string): Position | null {
  if (cursor === '') return null
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (time === undefined || id === undefined || !isUuid(id)) {
    throw invalid('cursor', 'Please begin again at the newest entries.')
  }
  return { at: new Date(Number(time)), id }
}

/**
 * The rows of a page. The caller reads one row more than fits, to detect whether another page follows.
 * @param size the rows of a page
 * @returns `last` only where another page follows: it begins behind that row
 */
export function cutPage<Row>(found: readonly Row[], size: number): { rows: Row[]; last: Row | undefined } {
  const rows = found.slice(0, size)
  return { rows, last: found.length > size ? rows.at(-1) : undefined }
}

/** All rows, some at a time, in the order of their numbers. @param read those behind one */
export async function* batchesOf<Row extends { number: number }>(
  read: (after: number) => Promise<Row[]>,
  after = 0,
): AsyncGenerator<Row[]> {
  for (let rows = await read(after); rows.length > 0; rows = await read(rows.at(-1)?.number ?? after))
    yield rows
}

/** A page with the cursor of the next one. */
export function pageOf<Row extends { id: string }>(
  found: readonly Row[],
  size: number,
  at: (row: Row) => Date,
) {
  const { rows: items, last } = cutPage(found, size)
  return { items, nextCursor: last ? `${at(last).getTime()}.${last.id}` : null }
}
