import { failureText } from '#web/lib/api-problem.ts'
import { showToast, type ToastLink } from './toaster.tsx'

// How long an undo is offered, in ms: longer than a notice without an action is shown.
export const undoMs = 20_000

interface Undoable {
  message: string
  whatFailed: string
  undo: () => Promise<void>
  link?: ToastLink
  shownMs?: number
}

/** The toast outlives its screen, so its failure is a toast too. */
export function showUndoable({ message, whatFailed, undo, link, shownMs = undoMs }: Undoable): void {
  const onSelect = () =>
    void undo().catch((error: unknown) => {
      const action = { label: 'Try again', onSelect }
      showToast('error', failureText(whatFailed, error), { shownMs: undoMs, action })
    })
  showToast('success', message, { shownMs, link, action: { label: 'Undo', onSelect } })
}
