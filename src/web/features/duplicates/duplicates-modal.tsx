import { useState } from 'react'
import { Modal } from '#web/components/modal.tsx'
import { Duplicates } from './duplicates.tsx'

interface DuplicatesModalProps {
  /** Whose duplicates are looked at, null for nobody's. */
  id: string | null
  onClose: () => void
}

/** Compares a record with those that may be the same person: they become one, or are told apart. */
export function DuplicatesModal({ id, onClose }: DuplicatesModalProps) {
  // While the modal fades out it still shows what it showed.
  const [last, setLast] = useState(id)
  if (id !== null && id !== last) setLast(id)
  // The comparison knows what its buttons do; they stand in the modal's foot.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="Possible Duplicates"
      size="lg"
      footer={<div ref={setFoot} className="contents" />}
    >
      {last !== null && <Duplicates key={last} id={last} foot={foot} onClose={onClose} />}
    </Modal>
  )
}
