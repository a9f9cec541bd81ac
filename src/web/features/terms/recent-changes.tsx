import { useQuery } from '@tanstack/react-query'
import type { RecentBatch, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { relativeTime, useNow } from '#web/lib/relative-time.ts'
import { undoneText } from './batch-toast.ts'

interface RecentChangesProps {
  isOpen: boolean
  term: Term
  onClose: () => void
}

const doneTexts: Record<RecentBatch['what'], string> = {
  enrolled: 'enrolled in',
  section: 'put in sections of',
  moved: 'moved to',
  dropped: 'dropped from',
  official: 'on the registrar’s list of',
  mark: 'marked in',
  undone: 'changed back in',
}

/** What was done to many in the last day, and can be undone. */
export function RecentChangesModal({ isOpen, term, onClose }: RecentChangesProps) {
  return (
    <Modal open={isOpen} onClose={onClose} title="Recent changes">
      <RecentChanges term={term} />
    </Modal>
  )
}

function RecentChanges({ term }: Pick<RecentChangesProps, 'term'>) {
  const query = useQuery({
    queryKey: ['terms', 'batches', term.id],
    queryFn: async ({ signal }) =>
      (await callApi(api.terms[':id'].batches.$get({ param: { id: term.id } }, { init: { signal } }))).items,
  })
  const now = useNow(query.data)
  const { cellName } = useLevelNames()
  const undo = useAction({
    topics: ['terms'],
    mutationFn: ({ id }: RecentBatch) =>
      callApi(slowApi['enrolment-batches'][':id'].undo.$post({ param: { id } })),
    onSuccess: (undone) => void showToast({ type: 'success', message: undoneText(undone) }),
  })
  return (
    <div className="grid gap-4">
      {undo.error && <ErrorBanner message={sentenceOf(undo.error)} />}
      <LoadedPart query={query} what="the changes" lines={3} className="h-14">
        {(batches) =>
          batches.length === 0 ? (
            <p className="text-muted">Nothing was changed in the last 24 hours.</p>
          ) : (
            <ul>
              {batches.map((batch) => (
                <li
                  key={batch.id}
                  className="flex flex-wrap items-center justify-between gap-3 border-b py-3 last:border-b-0"
                >
                  <div className="min-w-0 text-sm">
                    <p className="font-medium">
                      {countOf(batch.count, 'student')} {doneTexts[batch.what]}{' '}
                      {batch.cells.map(cellName).join('; ')}
                    </p>
                    <p className="wrap-anywhere text-muted">
                      {[batch.by ?? 'The portal', relativeTime(batch.at, now)].join(' · ')}
                    </p>
                  </div>
                  {batch.undoable === 0 ? (
                    <span className="text-sm text-muted">Changed since</span>
                  ) : (
                    batch.mayUndo &&
                    // Marks can be changed in a closed term too.
                    (term.state !== 'closed' || batch.what === 'mark') && (
                      <SmallButton aria-disabled={undo.isPending} onClick={() => undo.run(batch)}>
                        Undo
                      </SmallButton>
                    )
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </LoadedPart>
    </div>
  )
}
