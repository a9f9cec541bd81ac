import { useEffect } from 'react'
import { useRevalidator } from 'react-router'

/**
 * Has a page's data read in the browser. The server's document comes without records; their first reading follows
 * in the page itself and not behind a fallback, whose elements would be replaced together with what was typed
 * into them.
 *
 * @param isUnread whether nothing was read yet, and no reading has failed
 * @returns reads it again
 */
export function useFirstReading(isUnread: boolean): () => void {
  const { revalidate } = useRevalidator()
  useEffect(() => {
    if (isUnread) void revalidate()
  }, [isUnread, revalidate])
  return () => void revalidate()
}
