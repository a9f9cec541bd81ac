import type { RefObject } from 'react'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { useFocusBack } from '#web/lib/focus-back.ts'
import type { Arrangement } from './use-arrangement.ts'

interface OrderBarProps {
  arrangement: Arrangement
  /** What gets the focus when the bar goes, and the button that was pressed with it. */
  focusBack: RefObject<HTMLElement | null>
}

/** Saves the order of the slides, or takes it back. In sight as long as there is something to save. */
export function OrderBar({ arrangement, focusBack }: OrderBarProps) {
  const { isArranged, isSaving, failure, save, discard } = arrangement
  useFocusBack(isArranged || failure !== null, focusBack)
  if (!isArranged) {
    // What somebody else did in between may have left nothing to save; why it failed is still to be read.
    return failure === null ? null : (
      <div className="mt-4">
        <ErrorBanner message={failure} onDismiss={discard} />
      </div>
    )
  }
  return (
    <section
      aria-label="Order of the slides"
      className="sticky bottom-3 z-10 mt-4 flex flex-col gap-3 rounded-box border border-edge bg-card p-3 shadow-card"
    >
      {failure !== null && <ErrorBanner message={failure} />}
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-sm font-semibold">The order is changed, not saved yet.</p>
        <Button variant="outline" size="sm" className="max-md:min-h-11" disabled={isSaving} onClick={discard}>
          Discard
        </Button>
        <Button size="sm" className="max-md:min-h-11" aria-disabled={isSaving} onClick={() => void save()}>
          {isSaving ? 'Saving…' : 'Save order'}
        </Button>
      </div>
    </section>
  )
}
