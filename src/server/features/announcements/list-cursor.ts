import { validate as isUuid } from 'uuid'
import { AppError } from '#server/errors.ts'
import type { ListPosition } from './list-repository.ts'

/** Where the next piece of a list begins, as text. */
export function cursorOf({ pinned, at, id }: ListPosition): string {
  return `${pinned ? 1 : 0}.${at.getTime()}.${id}`
}

/** @throws AppError `invalid` for a text that is none of ours */
export function parseCursor(cursor: string): ListPosition {
  const [, pinned, time, id] = /^([01])\.(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (pinned === undefined || time === undefined || id === undefined || !isUuid(id)) {
    const message = 'Please begin again at the newest announcements.'
    throw new AppError('invalid', { detail: message, errors: [{ path: 'cursor', message }] })
  }
  return { pinned: pinned === '1', at: new Date(Number(time)), id }
}
