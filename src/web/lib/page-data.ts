import { useState } from 'react'

/** The last value of this key, used while a later reading of it fails (null). */
export function useLastValue<T>(value: T | null, key: string): T | null {
  const [last, setLast] = useState({ value, key })
  const isNew = last.key !== key || (value !== null && last.value !== value)
  if (isNew) setLast({ value, key })
  return isNew ? value : last.value
}
