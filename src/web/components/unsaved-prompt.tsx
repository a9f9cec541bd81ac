import { useCallback, useEffect, useRef } from 'react'
import { type Location, useBeforeUnload, useBlocker } from 'react-router'
import { Button, SmallButton } from './button.tsx'
import { Modal } from './modal.tsx'

interface UnsavedGuardProps {
  isUnsaved: boolean
  /** Whether the input survives at the other address. */
  staysOpen: (next: Location) => boolean
}

/** Asks before navigations; the browser asks on reload and close. */
export function UnsavedGuard({ isUnsaved, staysOpen }: UnsavedGuardProps) {
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
  const keep = () => blocker.reset?.()

  return (
    <Modal
      open={blocker.state === 'blocked'}
      onClose={keep}
      title="Discard your changes?"
      size="sm"
      footer={
        <>
          <SmallButton onClick={keep}>Keep editing</SmallButton>
          <Button variant="danger" size="sm" onClick={() => blocker.proceed?.()}>
            Discard changes
          </Button>
        </>
      }
    >
      <p>You have unsaved changes.</p>
    </Modal>
  )
}
