import { useCallback, useEffect, useRef } from 'react'
import { type Location, useBeforeUnload, useBlocker } from 'react-router'
import { Button, SmallButton } from './button.tsx'
import { Modal } from './modal.tsx'

interface UnsavedPromptProps {
  open: boolean
  onDiscard: () => void
  onKeep: () => void
}

export function UnsavedPrompt({ open, onDiscard, onKeep }: UnsavedPromptProps) {
  return (
    <Modal
      open={open}
      onClose={onKeep}
      title="Discard your changes?"
      size="sm"
      footer={
        <>
          <SmallButton onClick={onKeep}>Keep editing</SmallButton>
          <Button variant="danger" size="sm" onClick={onDiscard}>
            Discard changes
          </Button>
        </>
      }
    >
      <p>You have unsaved changes.</p>
    </Modal>
  )
}

interface UnsavedGuardProps {
  isUnsaved: boolean
  staysOpen: (next: Location) => boolean
}

export function UnsavedGuard({ isUnsaved, staysOpen }: UnsavedGuardProps) {
  const { isAsking, discard, keep } = useUnsavedGuard(isUnsaved, staysOpen)
  return <UnsavedPrompt open={isAsking} onDiscard={discard} onKeep={keep} />
}

/**
 * Asks before navigations; the browser asks on reload and close. @param staysOpen whether the input
 * survives at the other address
 */
export function useUnsavedGuard(isUnsaved: boolean, staysOpen: (next: Location) => boolean) {
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
    if (!isUnsaved && blocker.state === 'blocked') blocker.proceed()
  }, [isUnsaved, blocker])

  return {
    isAsking: blocker.state === 'blocked',
    discard: () => blocker.proceed?.(),
    keep: () => blocker.reset?.(),
  }
}
