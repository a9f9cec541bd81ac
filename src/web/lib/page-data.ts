import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { markWithoutData } from './stale-data.ts'

/** The last value of this key, used while a later reading of it fails (null). */
export function useLastValue<T>(value: T | null, key: string): T | null {
  const [last, setLast] = useState({ value, key })
  const isNew = last.key !== key || (value !== null && last.value !== value)
  if (isNew) setLast({ value, key })
  return isNew ? value : last.value
}

interface InitialData {
  read: unknown
  shown: unknown
  failure: string | null
}

/**
 * Reads a page's data in the browser: the document has no records. Not a Suspense fallback, whose
 * elements would be replaced with their input. @returns reads again
 */
export function useInitialRead({ read, shown, failure }: InitialData): () => void {
  const { revalidate } = useRevalidator()
  const isUnset = read === null && failure === null
  const isEmpty = shown === null
  useEffect(() => (isEmpty ? markWithoutData() : undefined), [isEmpty])
  useEffect(() => {
    if (isUnset) void revalidate()
  }, [isUnset, revalidate])
  return () => void revalidate()
}
