import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { holdUnread } from './kept-page.ts'

/** The last value of this key, used while a later reading of it fails (null). */
export function useLastGood<T>(value: T | null, key: string): T | null {
  const [kept, setKept] = useState({ value, key })
  const isNew = kept.key !== key || (value !== null && kept.value !== value)
  if (isNew) setKept({ value, key })
  return isNew ? value : kept.value
}

interface FirstReading {
  read: unknown
  shown: unknown
  failure: string | null
}

/**
 * Reads a page's data in the browser: the document has no records. Not a Suspense fallback, whose
 * elements would be replaced with their input. @returns reads again
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
