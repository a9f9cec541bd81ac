import { UserCheck } from 'lucide-react'
import { createPortal } from 'react-dom'
import { Button } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { Comparison } from './comparison.tsx'
import { useDuplicates } from './use-duplicates.ts'

interface DuplicatesProps {
  id: string
  /** Where the buttons stand. */
  foot: HTMLElement | null
  onClose: () => void
}

/** One student's record beside the records that may be the same person. */
export function Duplicates({ id, foot, onClose }: DuplicatesProps) {
  const duplicates = useDuplicates(id, onClose)
  const { state, others, pair, choices, failure, isBusy } = duplicates
  if (state.is === 'loading') return <ComparisonSkeleton />
  if (state.is === 'failed') return <ErrorBanner message={state.sentence} onRetry={duplicates.retry} />
  if (!pair || !choices) {
    return (
      <EmptyState
        icon={<UserCheck className="size-8" />}
        title="No other record looks like the same person."
        action={
          <Button variant="outline" size="sm" onClick={onClose}>
            Close
          </Button>
        }
      />
    )
  }
  return (
    <div className="grid gap-4">
      {others.length > 1 && (
        <SelectField
          name="compare-with"
          label={`Compare with one of ${others.length} records`}
          options={others.map(({ id: value, lastName, firstName, reference }) => ({
            value,
            label: `${lastName}, ${firstName} · ${reference}`,
          }))}
          value={pair.right.id}
          onChange={({ target }) => duplicates.show(target.value)}
        />
      )}
      <Comparison pair={pair} choices={choices} onChoose={duplicates.choose} />
      {foot &&
        createPortal(
          <>
            {failure && (
              <div className="basis-full">
                <ErrorBanner message={failure} />
              </div>
            )}
            <Button
              variant="outline"
              className="max-sm:flex-auto"
              disabled={isBusy}
              onClick={() => void duplicates.dismiss()}
            >
              These are different people
            </Button>
            <Button
              variant="danger"
              className="max-sm:flex-auto"
              disabled={isBusy}
              onClick={() => void duplicates.merge()}
            >
              {isBusy ? 'Saving…' : 'Merge records'}
            </Button>
          </>,
          foot,
        )}
    </div>
  )
}

function ComparisonSkeleton() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Loading the records</span>
      {['a', 'b', 'c', 'd'].map((line) => (
        <div key={line} aria-hidden="true" className="grid grid-cols-2 gap-2">
          <Skeleton className="col-span-2 h-4 w-28" />
          <Skeleton className="h-11" />
          <Skeleton className="h-11" />
        </div>
      ))}
    </div>
  )
}
