import { useCallback, useEffect, useRef } from 'react'
import { type Location, useBeforeUnload, useBlocker } from 'react-router'
import { QuestionModal } from './question-modal.tsx'

export interface UnsavedGuardProps {
  isUnsaved: boolean
  /** Whether the input survives at the other address. */
  staysOpen: (next: Location) => boolean
  /** Whether the form itself leads there once it is saved. */
  closesTo?: ((next: Location) => boolean) | undefined
}

/** Asks before navigations; the browser asks on reload and close. */
export function UnsavedGuard({ isUnsaved, staysOpen, closesTo }: UnsavedGuardProps) {
  // Read when a navigation begins, which may be before the next render.
  const isBlocking = useRef(isUnsaved)
  useBeforeUnload(
    useCallback((event) => {
      if (isBlocking.current) event.preventDefault()
    }, []),
  )
  const blocker = useBlocker(({ nextLocation }) => isBlocking.current && !staysOpen(nextLocation))
  useEffect(() => {
    isBlocking.current = isUnsaved
    // The page was left while its form was being saved.
    if (isUnsaved || blocker.state !== 'blocked') return
    // Going back twice would leave the screen.
    if (closesTo?.(blocker.location)) blocker.reset()
    else blocker.proceed()
  }, [isUnsaved, blocker, closesTo])

  return (
    <QuestionModal
      title="Discard your changes?"
      thing={blocker.state === 'blocked' || null}
      words={() => ({ confirm: 'Discard changes', dismiss: 'Keep editing' })}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      <p>You have unsaved changes.</p>
    </QuestionModal>
  )
}
