import { validate as isUuid } from 'uuid'
import { AppError } from './errors.ts'

/** Where a piece of a list begins that has the newest first: behind this row, by its instant and its id. */
export interface Place {
  at: Date
  id: string
}

const beginAgain = 'Please begin again at the newest entries.'

/** The cursor of a place. */
export function placeCursor({ at, id }: Place): string {
  return `${at.getTime()}.${id}`
}

/**
 * The place of a cursor; null for the beginning, which is ''.
 *
 * @throws AppError `invalid` for a cursor that none of ours is
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
 * The rows of a piece of a list. Whoever reads one row more than fits learns so whether another piece follows.
 *
 * @param size how many rows a piece has
 * @returns `last` only where another piece follows: it begins behind that row
 */
export function cutPiece<Row>(rows: readonly Row[], size: number): { shown: Row[]; last: Row | undefined } {
  const shown = rows.slice(0, size)
  return { shown, last: rows.length > size ? shown.at(-1) : undefined }
}
