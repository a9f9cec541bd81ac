import { useState } from 'react'

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
