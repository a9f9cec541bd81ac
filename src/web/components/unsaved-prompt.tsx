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
