import type { Slide } from '#shared/slides.ts'
import { Button } from '#web/components/button.tsx'
import { comeIntoSight } from '#web/lib/come-into-sight.ts'
import { type SlideField, slideFieldLabels } from './slide-merge.ts'

interface SlideConflictProps {
  contested: readonly SlideField[]
  /** The slide with the other change. */
  now: Slide
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Tells what somebody else has saved while something else was typed, and lets the person choose. */
export function SlideConflict({ contested, now, onKeepMine, onTakeTheirs }: SlideConflictProps) {
  return (
    <div
      ref={comeIntoSight}
      role="alert"
      className="scroll-my-5 rounded-box border border-warning bg-warning-soft px-4 py-3 text-sm"
    >
      <p className="font-semibold text-warning">
        This slide was changed somewhere else while you were editing it. What you typed is still here, not
        saved.
      </p>
      <dl className="mt-2 flex flex-col gap-1">
        {contested.map((field) => (
          <div key={field} className="wrap-anywhere">
            <dt className="inline font-semibold">{slideFieldLabels[field]}</dt>{' '}
            <dd className="inline">{otherChange(field, now)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button variant="outline" size="sm" onClick={onKeepMine}>
          Keep what I typed
        </Button>
        <Button variant="outline" size="sm" onClick={onTakeTheirs}>
          Take the other change
        </Button>
      </div>
    </div>
  )
}

function otherChange(field: SlideField, now: Slide): string {
  if (field === 'image') return 'was replaced too.'
  return now[field] === '' ? 'is empty now.' : `is now: ${now[field]}`
}
