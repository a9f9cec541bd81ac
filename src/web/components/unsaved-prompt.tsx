import type { Location } from 'react-router'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { Button } from './button.tsx'
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
          <Button variant="outline" size="sm" onClick={onKeep}>
            Keep editing
          </Button>
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
