import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { figureText } from '#web/lib/count-text.ts'

interface ArchiveSelectedModalProps {
  /** Who is asked about: the selection as it was when the modal was opened. Null for nobody. */
  ids: readonly string[] | null
  isBusy: boolean
  onArchive: (ids: readonly string[]) => void
  onClose: () => void
}

/** Asks before a selection is archived (spec §2). */
export function ArchiveSelectedModal({ ids, isBusy, onArchive, onClose }: ArchiveSelectedModalProps) {
  // While the modal fades out it still shows what it showed.
  const [last, setLast] = useState(ids)
  if (ids && ids !== last) setLast(ids)
  if (!last) return null
  const count = figureText(last.length)
  return (
    <Modal
      open={ids !== null}
      onClose={() => !isBusy && onClose()}
      title="Archive Students"
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" disabled={isBusy} onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" disabled={isBusy} onClick={() => onArchive(last)}>
            {isBusy ? 'Archiving…' : 'Archive'}
          </Button>
        </>
      }
    >
      <p>Are you sure you want to archive {count} student(s)?</p>
      <p className="mt-2">This will move them to the archived students section.</p>
      {/* Stands there always: what a status says is read out only when it changes. */}
      <div role="status" className="mt-4 empty:hidden">
        {isBusy && (
          <>
            <p className="text-sm text-muted">Archiving {count} student(s)…</p>
            {/* All or nothing: there are no steps to count. */}
            <progress aria-label="Archiving" className="mt-1 w-full accent-primary" />
          </>
        )}
      </div>
    </Modal>
  )
}
