import { sentenceOf } from '#web/lib/api-problem.ts'
import { showToast } from './toaster.tsx'

// In ms: longer than a notice without an action.
export const undoMs = 20_000

/** The toast outlives its screen, so its failure is a toast too. */
export function showUndoable(
  message: string,
  whatFailed: string,
  undo: () => Promise<void>,
  shownMs = undoMs,
): void {
  const onSelect = () =>
    void undo().catch((error: unknown) => {
      const action = { label: 'Try again', onSelect }
      showToast({ type: 'error', message: `${whatFailed}: ${sentenceOf(error)}`, shownMs: undoMs, action })
    })
  showToast({ type: 'success', message, shownMs, action: { label: 'Undo', onSelect } })
}
