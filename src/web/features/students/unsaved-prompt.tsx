import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'

interface UnsavedPromptProps {
  open: boolean
  onDiscard: () => void
  onKeep: () => void
}

/** Asks before changes that aren't saved are lost. */
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
      <p>What you changed in this record isn't saved yet.</p>
    </Modal>
  )
}
