import { useCallback, useEffect, useRef } from 'react'
import { type Location, useBeforeUnload, useBlocker } from 'react-router'

export interface UnsavedGuard {
  /** Whether the person wants to leave and is asked. */
  isAsking: boolean
  /** Leaves, and what was typed is lost. */
  discard: () => void
  keep: () => void
  /** Lets the next navigation pass: what was typed is saved. */
  release: () => void
}

/**
 * Asks before something typed is lost: on closing, Back and every other way within the app, and, in the
 * browser's own words, on a reload or a closed tab.
 *
 * @param staysOpen whether what is typed is still there at another address
 */
export function useUnsavedGuard(isUnsaved: boolean, staysOpen: (next: Location) => boolean): UnsavedGuard {
  // Read when a navigation begins, which may be before the next render.
  const isHeld = useRef(isUnsaved)
  useEffect(() => {
    isHeld.current = isUnsaved
  }, [isUnsaved])

  useBeforeUnload(
    useCallback((event) => {
      if (isHeld.current) event.preventDefault()
    }, []),
  )
  const blocker = useBlocker(({ nextLocation }) => isHeld.current && !staysOpen(nextLocation))

  return {
    isAsking: blocker.state === 'blocked',
    discard: () => blocker.proceed?.(),
    keep: () => blocker.reset?.(),
    release() {
      isHeld.current = false
    },
  }
}
