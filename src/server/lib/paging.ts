import { validate as isUuid } from 'uuid'
import { AppError } from './errors.ts'

/** A keyset position in a list with the newest first: behind this instant and id. */
export interface Place {
  at: Date
  id: string
}

const beginAgain = 'Please begin again at the newest entries.'

export function placeCursor({ at, id }: Place): string {
  return `${at.getTime()}.${id}`
}

/**
 * The position of a cursor; null for '', the beginning.
 * @throws AppError `invalid` for a malformed cursor
 */
export function openPlaceCursor(cursor: string): Place | null {
  if (cursor === '') return null
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (time === undefined || id === undefined || !isUuid(id)) {
    throw new AppError('invalid', { detail: beginAgain, errors: [{ path: 'cursor', message: beginAgain }] })
  }
  return { at: new Date(Number(time)), id }
}

/**
 * The rows of a page. The caller reads one row more than fits, to learn whether another page follows.
 * @param size the rows of a page
 * @returns `last` only where another page follows: it begins behind that row
 */
export function cutPiece<Row>(rows: readonly Row[], size: number): { shown: Row[]; last: Row | undefined } {
  const shown = rows.slice(0, size)
  return { shown, last: rows.length > size ? shown.at(-1) : undefined }
}
