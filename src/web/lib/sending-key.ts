import { useRef } from 'react'
import { newKey } from './older-browsers.ts'

interface SendingKey {
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

/** The key of one form's sendings, as the header of a request. */
export function useSendingKey() {
  const last = useRef<SendingKey>(null)
  return {
    headerFor(content: unknown) {
      last.current = keyFor(content, last.current)
      return { 'idempotency-key': last.current.key }
    },
    /** From now on the same content is another sending. */
    forget() {
      last.current = null
    },
  }
}
