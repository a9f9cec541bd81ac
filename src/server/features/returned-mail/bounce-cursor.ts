import { validate as isUuid } from 'uuid'
import { AppError } from '#server/errors.ts'
import type { BouncePosition } from './bounces-repository.ts'

/** Where the next piece of the list begins, as text. */
export function cursorOf({ receivedAt, id }: BouncePosition): string {
  return `${receivedAt.getTime()}.${id}`
}

/** @throws AppError `invalid` for a text that is none of ours */
export function parseCursor(cursor: string): BouncePosition {
  const [, time, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (time === undefined || id === undefined || !isUuid(id)) {
    const message = 'Please begin again at the newest entries.'
    throw new AppError('invalid', { detail: message, errors: [{ path: 'cursor', message }] })
  }
  return { receivedAt: new Date(Number(time)), id }
}
