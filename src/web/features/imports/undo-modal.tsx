import { useState } from 'react'
import type { ImportSummary } from '#shared/imports.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/count-text.ts'
import type { Act } from './act.ts'

interface UndoModalProps {
  open: boolean
  details: Pick<ImportSummary, 'id' | 'fileName' | 'importedCount' | 'updateBy'> & { changedSince: number }
  act: Act
  onClose: () => void
}

/** Asks before an import's records are removed, and says when work on them would be lost. */
export function UndoModal({ open, details, act, onClose }: UndoModalProps) {
  const { id, fileName, importedCount, changedSince, updateBy } = details
  // Records that were updated are put back all or none, and none over newer values.
  const isImpossible = updateBy !== null && changedSince > 0
  const [isBusy, setBusy] = useState(false)

  async function undo() {
    setBusy(true)
    const done = await act('Failed to undo the import', () =>
      api.imports[':id'].undo.$post({ param: { id }, json: { evenChanged: !updateBy && changedSince > 0 } }),
    )
    setBusy(false)
    onClose()
    if (done) showToast({ type: 'success', message: 'The import was undone.' })
  }

  return (
    <Modal
      open={open}
      onClose={onClose}
      title="Undo import"
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" size="sm" disabled={isBusy || isImpossible} onClick={() => void undo()}>
            {updateBy ? 'Restore' : 'Remove'} {countOf(importedCount, 'record')}
          </Button>
        </>
      }
    >
      {updateBy ? (
        <p>
          Are you sure you want to restore the old values of the {countOf(importedCount, 'record')} that{' '}
          <strong className="wrap-anywhere">{fileName}</strong> has updated?
        </p>
      ) : (
        <p>
          Are you sure you want to remove exactly the {countOf(importedCount, 'record')} that were imported
          from <strong className="wrap-anywhere">{fileName}</strong>?
        </p>
      )}
      {isImpossible && (
        <p className="mt-3 rounded-box bg-warning-soft px-3 py-2 text-sm text-warning">
          {changedSince === 1
            ? '1 of them was changed since'
            : `${figureText(changedSince)} of them were changed since`}
          , so the import can't be undone as a whole. The audit trail has the old values of each record.
        </p>
      )}
      {changedSince > 0 && !updateBy && (
        <p className="mt-3 rounded-box bg-warning-soft px-3 py-2 text-sm text-warning">
          {changedSince === 1
            ? '1 of them was edited or archived since; that work is lost.'
            : `${figureText(changedSince)} of them were edited or archived since; that work is lost.`}
        </p>
      )}
    </Modal>
  )
}
