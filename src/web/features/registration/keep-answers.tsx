import type { RefObject } from 'react'
import type { useDraft } from './use-draft.ts'

interface KeepAnswersProps {
  draft: ReturnType<typeof useDraft>
  box: RefObject<HTMLInputElement | null>
}

const notices = {
  off: 'Leave this off on a shared phone: whoever opens this page next could read your answers.',
  kept: 'Your answers survive a reload. They are deleted when you submit or untick this, and after 24 hours as soon as you open the portal again.',
  restored:
    'Your answers from last time are back. They are deleted when you submit or untick this, and after 24 hours as soon as you open the portal again.',
  refused: "This browser doesn't let the page keep anything. Your answers stay only while the page is open.",
} as const

/** The opt-in to keeping answers on this device. It needs scripts and isn't there without them. */
export function KeepAnswers({ draft, box }: KeepAnswersProps) {
  return (
    <div className="rounded-box border bg-card p-4 shadow-card sm:px-6 noscript:hidden">
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          ref={box}
          type="checkbox"
          // No name: it is no answer. No autofill: after a reload the draft itself decides.
          autoComplete="off"
          aria-describedby="keep-answers-notice"
          className="size-5 shrink-0 accent-primary"
          onChange={(event) => (event.currentTarget.checked ? draft.start() : draft.stop())}
        />
        Keep my answers on this device
      </label>
      <p id="keep-answers-notice" role="status" className="min-h-10 text-sm text-muted">
        {notices[draft.state]} Your social security number is never kept.
      </p>
    </div>
  )
}
