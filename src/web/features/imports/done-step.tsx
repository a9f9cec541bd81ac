import { CircleCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ImportDetails } from '#shared/imports.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { countOf } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import type { Act } from './act.ts'
import { resultText } from './import-texts.ts'
import { importPath } from './imports-address.ts'
import { RefusedButton } from './refused-button.tsx'
import { UndoModal } from './undo-modal.tsx'

/** The last step: what the import has made, and the ways on and back. */
export function DoneStep({ details, act }: { details: ImportDetails; act: Act }) {
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
            {left > 0 && ` ${countOf(left, 'row')} left out.`}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {!isUndone && (
          <ButtonLink size="sm" to={tabPath('students')}>
            Go to the students
          </ButtonLink>
        )}
        {left > 0 && hasRows && <RefusedButton id={id} act={act} />}
        {isUndone
          ? hasRows && (
              <ButtonLink variant="outline" size="sm" to={importPath(id, { atColumns: true })}>
                Check the rows again
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
  const records = countOf(details.importedCount, 'record')
  if (details.state !== 'undone') return `${countOf(details.importedCount, noun)} ${done}.`
  return details.updateBy
    ? `This import was undone: the old values of ${records} are back.`
    : `This import was undone: its ${records} were removed.`
}
