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
