import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { holdUnread } from './kept-page.ts'

/**
 * The newest value that was read under a key. While a later reading of the same key fails (null), the screen
 * keeps what it showed; under another key nothing is kept.
 */
export function useLastGood<T>(value: T | null, key: string): T | null {
  const [kept, setKept] = useState({ value, key })
  const isNew = kept.key !== key || (value !== null && kept.value !== value)
  if (isNew) setKept({ value, key })
  return isNew ? value : kept.value
}

interface FirstReading {
  /** What the last reading gave; null before the first, and when it failed. */
  read: unknown
  /** What the page shows, which may be of a reading before; null while there is nothing. */
  shown: unknown
  /** Why the last reading failed. */
  failure: string | null
}

/**
 * Has a page's data read in the browser. The server's document comes without records; their first reading follows
 * in the page itself and not behind a fallback, whose elements would be replaced together with what was typed
 * into them.
 *
 * @returns reads it again
 */
export function useFirstReading({ read, shown, failure }: FirstReading): () => void {
  const { revalidate } = useRevalidator()
  const isUnread = read === null && failure === null
  const isEmpty = shown === null
  useEffect(() => (isEmpty ? holdUnread() : undefined), [isEmpty])
  useEffect(() => {
    if (isUnread) void revalidate()
  }, [isUnread, revalidate])
  return () => void revalidate()
}
