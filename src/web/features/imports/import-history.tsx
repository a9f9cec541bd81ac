import { FileUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { type ImportSummary, importKeptDays } from '#shared/imports.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button, IconButton } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { resultText, stateText } from './import-texts.ts'
import { importPath } from './imports-address.ts'

/** Earlier imports: where each one is, the way to it, and its rows' deletion. */
export function ImportHistory({ imports }: { imports: readonly ImportSummary[] }) {
  const [asked, setAsked] = useState<ImportSummary | null>(null)
  return (
    <section aria-labelledby="history-title" className="flex flex-col gap-3">
      <h2 id="history-title" className="text-lg font-semibold">
        Earlier imports
      </h2>
      {imports.length === 0 ? (
        <EmptyState icon={<FileUp className="size-8" />} title="Nothing was imported yet." />
      ) : (
        <>
          <p className="text-sm text-muted">
            The rows of a file are deleted after {importKeptDays} days; what was imported stays.
          </p>
          <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
            {imports.map((item) => (
              <HistoryLine key={item.id} item={item} onDelete={() => setAsked(item)} />
            ))}
          </ul>
        </>
      )}
      <DeleteModal item={asked} onClose={() => setAsked(null)} />
    </section>
  )
}

function HistoryLine({ item, onDelete }: { item: ImportSummary; onDelete: () => void }) {
  const texts = useInstantTexts()
  const { label, tone } = stateText(item)
  const { noun, done } = resultText(item)
  const isWorking = item.state === 'checking' || item.state === 'importing'
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={importPath(item.id)}
            className="py-1 font-semibold wrap-anywhere text-primary underline underline-offset-4"
          >
            {item.fileName}
          </Link>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {texts.momentOf(item.createdAt)} · {item.createdBy} · {countOf(item.rowCount, 'row')}
          {item.importedCount > 0 && ` · ${countOf(item.importedCount, noun)} ${done}`}
          {!item.hasRows && ' · rows deleted'}
        </p>
      </div>
      {item.hasRows && !isWorking && (
        <IconButton label={`Delete the rows of ${item.fileName}`} size="md" onClick={onDelete}>
          <Trash2 aria-hidden="true" className="size-5" />
        </IconButton>
      )}
    </li>
  )
}

function DeleteModal({ item, onClose }: { item: ImportSummary | null; onClose: () => void }) {
  const { revalidate } = useRevalidator()
  const [isBusy, setBusy] = useState(false)

  async function remove({ id }: ImportSummary) {
    setBusy(true)
    try {
      await api.imports[':id'].$delete({ param: { id } })
      showToast({ type: 'success', message: 'The rows of the file were deleted.' })
    } catch (error) {
      showToast({ type: 'error', message: `Failed to delete the rows: ${sentenceOf(error)}` })
    } finally {
      setBusy(false)
      onClose()
      await revalidate()
    }
  }

  return (
    <Modal
      open={item !== null}
      onClose={onClose}
      title="Delete the rows"
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" size="sm" disabled={isBusy} onClick={() => item && void remove(item)}>
            Delete the rows
          </Button>
        </>
      }
    >
      <p>
        Are you sure you want to delete the rows of{' '}
        <strong className="wrap-anywhere">{item?.fileName}</strong>?{item ? ` ${consequence(item)}` : ''}
      </p>
    </Modal>
  )
}

function consequence({ importedCount, updateBy, state }: ImportSummary): string {
  if (importedCount === 0) return 'Nothing was imported from it.'
  if (!updateBy) {
    return 'The students that were imported from it stay, and so does the way to undo the import.'
  }
  return state === 'imported'
    ? 'The records that it updated stay as they are, and the import can no longer be undone.'
    : 'The records stay as they are.'
}
