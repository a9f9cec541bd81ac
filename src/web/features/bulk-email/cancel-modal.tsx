import { useState } from 'react'
import type { BatchSummary } from '#shared/mail.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { countOf, figureText } from '#web/lib/count-text.ts'

interface CancelModalProps {
  /** Null while nothing is asked. */
  batch: BatchSummary | null
  isBusy: boolean
  focusBack: () => HTMLElement | true
  onCancel: () => void
  onClose: () => void
}

/** Asks before the rest of a batch is cancelled, and names how many that are. */
export function CancelModal({ batch, isBusy, focusBack, onCancel, onClose }: CancelModalProps) {
  // While the modal fades out it still names what it named.
  const [last, setLast] = useState(batch)
  if (batch && batch !== last) setLast(batch)
  const waiting = last?.counts.queued ?? 0
  return (
    <Modal
      open={batch !== null}
      onClose={onClose}
      title="Cancel the rest"
      size="sm"
      focusBack={focusBack}
      footer={
        <>
          <Button variant="outline" size="sm" onClick={onClose}>
            Go on sending
          </Button>
          <Button variant="danger" size="sm" aria-disabled={isBusy} onClick={onCancel}>
            {isBusy ? 'Cancelling…' : `Cancel ${countOf(waiting, 'e-mail')}`}
          </Button>
        </>
      }
    >
      <p>
        {waiting === 1 ? '1 e-mail has' : `${figureText(waiting)} e-mails have`} not been sent yet, and never
        will be. What was sent already can’t be called back.
      </p>
    </Modal>
  )
}
