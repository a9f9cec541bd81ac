import { useQuery } from '@tanstack/react-query'
import type { RecentBatch, Term } from '#shared/terms/terms-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { api, callApi, reading, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { relativeTime, useNow } from '#web/lib/relative-time.ts'
import { undoneText } from './batch-toast.ts'

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
export function RecentChanges({ term }: { term: Term }) {
  const query = useQuery({
    queryKey: ['terms', 'batches', term.id],
    queryFn: reading(api.terms[':id'].batches.$get, { param: { id: term.id } }),
  })
  const now = useNow(query.data)
  const { cellName } = useLevelNames()
  const undo = useActionWithToast({
    topics: ['terms'],
    mutationFn: ({ id }: RecentBatch) =>
      callApi(slowApi['enrolment-batches'][':id'].undo.$post({ param: { id } })),
    done: undoneText,
  })
  return (
    <div className="grid gap-4">
      {undo.error && <ErrorBanner message={sentenceOf(undo.error)} />}
      <LoadedPart query={query} what="the changes" lines={3} className="h-14">
        {({ items: batches }) =>
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
