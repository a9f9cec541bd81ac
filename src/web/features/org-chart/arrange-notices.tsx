import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import type { Arrangement } from './use-arrangement.ts'

interface ArrangeNoticesProps {
  arrangement: Pick<Arrangement, 'outcome' | 'lost' | 'forgetLost'>
}

/** What became of saving, and of moves that met somebody else's change. */
export function ArrangeNotices({ arrangement }: ArrangeNoticesProps) {
  const { outcome, lost, forgetLost } = arrangement
  return (
    <>
      {outcome?.kind === 'failed' && (
        <ErrorBanner message={`Failed to save organization structure: ${outcome.sentence}`} />
      )}
      {outcome?.kind === 'overtaken' && (
        <div role="alert" className="rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm">
          <p className="font-semibold text-warning">
            Failed to save organization structure: somebody else has changed the chart in the meantime.
          </p>
          <p className="mt-1">
            This is the chart as it is now, with your moves made on it. Nothing of them is saved yet: please
            look it over and save again.
          </p>
        </div>
      )}
      {lost.length > 0 && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-3 rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm"
        >
          <p className="min-w-48 flex-1">
            {lost.length === 1 ? 'One of your moves is' : `${lost.length} of your moves are`} no longer
            possible after somebody else’s change. The others are kept.
          </p>
          <Button variant="outline" size="sm" onClick={forgetLost}>
            All right
          </Button>
        </div>
      )}
    </>
  )
}
