import { useState } from 'react'
import { useLocation } from 'react-router'

/**
 * A question that is asked over the page, such as whether to delete a record. It isn't in the address: a sent
 * link must not ask to destroy something. Going anywhere else, Back too, takes it away.
 */
export function useQuestion<T>() {
  const { key } = useLocation()
  const [asked, setAsked] = useState<{ key: string; about: T } | null>(null)
  return {
    about: asked?.key === key ? asked.about : null,
    ask: (about: T) => setAsked({ key, about }),
    close: () => setAsked(null),
  }
}
