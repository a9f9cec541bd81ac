import { useCallback, useEffect, useRef } from 'react'
import { type Location, useBeforeUnload, useBlocker } from 'react-router'

export interface UnsavedGuard {
  isAsking: boolean
  discard: () => void
  keep: () => void
  release: () => void
}

/**
 * Asks before navigations; the browser asks on reload and close. @param staysOpen whether the input
 * survives at the other address
 */
export function useUnsavedGuard(isUnsaved: boolean, staysOpen: (next: Location) => boolean): UnsavedGuard {
  // Read when a navigation begins, which may be before the next render.
  const isBlocking = useRef(isUnsaved)
  useEffect(() => {
    isBlocking.current = isUnsaved
  }, [isUnsaved])

  useBeforeUnload(
    useCallback((event) => {
      if (isBlocking.current) event.preventDefault()
    }, []),
  )
  const blocker = useBlocker(({ nextLocation }) => isBlocking.current && !staysOpen(nextLocation))

  return {
    isAsking: blocker.state === 'blocked',
    discard: () => blocker.proceed?.(),
    keep: () => blocker.reset?.(),
    release() {
      isBlocking.current = false
    },
  }
}
