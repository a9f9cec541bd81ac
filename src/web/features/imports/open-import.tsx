import { CircleCheck, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ImportDetails } from '#shared/imports/import-response.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { RefusedButton } from './import-controls.tsx'
import {
  type Act,
  type ImportsAddress,
  importPath,
  type OpenImportData,
  resultText,
  useBusy,
} from './imports-data.ts'

export function OpenImport({ data, address }: { data: OpenImportData; address: ImportsAddress }) {
  const { details } = data
  const readAgain = useReadAgain()
  const [failure, setFailure] = useState<string | null>(null)
  const texts = useInstantTexts()
  const top = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each step, and only then
  useEffect(() => {
    // The pressed button is removed with its step: focuses the top of the next step.
    if (document.activeElement === document.body) top.current?.focus()
  }, [details.state, address.atColumns])

  const act: Act = async (failed, action) => {
    setFailure(null)
    try {
      await action()
      return true
    } catch (error) {
      setFailure(`${failed}: ${sentenceOf(error)}`)
      return false
    } finally {
      await readAgain()
    }
  }

  return (
    <div className="flex flex-col gap-5">
      <p ref={top} tabIndex={-1} className="text-sm text-muted outline-hidden">
        <strong className="font-semibold wrap-anywhere text-fg">{details.fileName}</strong>
        {` · ${countOf(details.rowCount, 'row')} · uploaded ${texts.momentOf(details.createdAt)}`}
      </p>
      {failure && <ErrorBanner message={failure} onDismiss={() => setFailure(null)} />}
      {!failure && details.failure && <ErrorBanner message={details.failure} />}
      <Step data={data} address={address} act={act} />
    </div>
  )
}

const workTexts = {
  checking: 'Checking rows',
  importing: 'Importing',
  updating: 'Updating records',
} as const

function Step({ data, address, act }: { data: OpenImportData; address: ImportsAddress; act: Act }) {
  const { details } = data
  const { state, progress } = details
  if (state === 'uploaded' || (address.atColumns && state !== 'importing' && state !== 'imported')) {
    return <ColumnsStep details={details} />
  }
  switch (state) {
    case 'checking':
    case 'importing':
      return (
        <Working
          label={workTexts[state === 'checking' ? state : details.updateBy ? 'updating' : state]}
          progress={progress}
        />
      )
    case 'checked':
      return <CheckStep data={data} address={address} act={act} />
    case 'imported':
    case 'undone':
      return <DoneStep details={details} act={act} />
  }
}

function Working({ label, progress }: { label: string; progress: ImportDetails['progress'] }) {
  const { done, total } = progress ?? { done: 0, total: 0 }
  return (
    <section aria-labelledby="working-title" className="rounded-box border bg-card p-5 shadow-card">
      <h2 id="working-title" className="sr-only">
        {label}
      </h2>
      <ProgressBar
        label={done === total && total > 0 ? 'Nearly done' : label}
        part={total === 0 ? null : done / total}
        text={`${figureText(done)} of ${countOf(total, 'row')}`}
      />
      <p className="mt-3 text-sm text-muted">You can leave this page. The import continues.</p>
    </section>
  )
}

function DoneStep({ details, act }: { details: ImportDetails; act: Act }) {
  const { id, state, updateBy, counts, importedCount, importedAt, undoneAt, hasRows } = details
  const canUndo = importedCount > 0 && (!updateBy || hasRows)
  const [asksUndo, setAsksUndo] = useState(false)
  const texts = useInstantTexts()
  const left = counts.problem + counts.duplicate + counts.skipped
  const isUndone = state === 'undone'
  return (
    <section
      aria-labelledby="done-title"
      className="flex flex-col gap-4 rounded-box border bg-card p-5 shadow-card max-md:[&_a]:min-h-11 max-md:[&_button]:min-h-11"
    >
      <div className="flex items-start gap-3">
        {isUndone ? (
          <Undo2 aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-warning" />
        ) : (
          <CircleCheck aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-success" />
        )}
        <div>
          <h2 id="done-title" className="text-lg font-semibold">
            {doneTitle(details)}
          </h2>
          <p className="text-sm text-muted">
            {isUndone && undoneAt ? `Undone ${texts.momentOf(undoneAt)}. ` : ''}
            {importedAt && `${updateBy ? 'Updated' : 'Imported'} ${texts.momentOf(importedAt)}.`}
            {left > 0 && ` ${countOf(left, 'row')} skipped.`}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {!isUndone && (
          <ButtonLink size="sm" to={tabPath('students')}>
            Go to students
          </ButtonLink>
        )}
        {left > 0 && hasRows && <RefusedButton id={id} act={act} />}
        {isUndone
          ? hasRows && (
              <ButtonLink variant="outline" size="sm" to={importPath(id, { atColumns: true })}>
                Check rows again
              </ButtonLink>
            )
          : canUndo && (
              <Button variant="outline" size="sm" onClick={() => setAsksUndo(true)}>
                Undo import
              </Button>
            )}
        <ButtonLink variant="outline" size="sm" to={importPath(null)}>
          Import another file
        </ButtonLink>
      </div>
      <UndoModal open={asksUndo} details={details} act={act} onClose={() => setAsksUndo(false)} />
    </section>
  )
}

function doneTitle(details: ImportDetails): string {
  const { noun, done } = resultText(details)
  const records = countOf(details.importedCount - details.deletedSince, 'record')
  if (details.state !== 'undone') return `${countOf(details.importedCount, noun)} ${done}.`
  return details.updateBy
    ? `Import undone: the old values of ${records} were restored.`
    : `Import undone: ${records} removed.`
}

interface UndoModalProps {
  open: boolean
  details: ImportDetails
  act: Act
  onClose: () => void
}

function UndoModal({ open, details, act: actOnce, onClose }: UndoModalProps) {
  const { id, fileName, changedSince, deletedSince, updateBy } = details
  const importedCount = details.importedCount - deletedSince
  // Updated records are restored all or none, and never over newer values.
  const isImpossible = updateBy !== null && changedSince > 0
  const [isBusy, act] = useBusy(actOnce)
  const subject = (
    <>
      {countOf(importedCount, 'record')} {updateBy ? 'updated' : 'imported'} from{' '}
      <strong className="wrap-anywhere">{fileName}</strong>
    </>
  )
  const someChanged = (words: string) =>
    changedSince === 1 ? `1 of them was ${words}` : `${figureText(changedSince)} of them were ${words}`

  async function undo() {
    const done = await act('Failed to undo the import', () =>
      slowApi.imports[':id'].undo.$post({
        param: { id },
        json: { evenChanged: !updateBy && changedSince > 0 },
      }),
    )
    onClose()
    if (done) showToast({ type: 'success', message: 'Import undone.' })
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
      <p>
        {updateBy ? 'Restore the old values of the' : 'Remove the'} {subject}?
      </p>
      {changedSince > 0 && (
        <p className="mt-3 rounded-box bg-warning-soft px-3 py-2 text-sm text-warning">
          {updateBy
            ? `${someChanged('changed since')}, so the import can't be undone. The old values are in the audit trail.`
            : `${someChanged('edited or archived since')}. Those changes will be lost.`}
        </p>
      )}
      {deletedSince > 0 && (
        <p className="mt-3">
          {deletedSince === 1 ? '1 more record was' : `${figureText(deletedSince)} more records were`} deleted
          since and can't be restored.
        </p>
      )}
    </Modal>
  )
}
