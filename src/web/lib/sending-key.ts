import { newKey } from './older-browsers.ts'

export interface SendingKey {
  of: string
  key: string
}

/**
 * The idempotency key: the last one while the content is the same, after a second click or a lost response, so that the
 * server does nothing twice.
 */
export function keyFor(content: unknown, last: SendingKey | null): SendingKey {
  const of = JSON.stringify(content)
  return last?.of === of ? last : { of, key: newKey() }
}
