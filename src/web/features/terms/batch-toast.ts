import { showToast } from '#web/components/toaster.tsx'
import { showUndoable } from '#web/components/undo-toast.ts'
import { callApi, slowApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'

/** What was done to enrollments, with its undo. */
export function useBatchToast(): (message: string, batchId: string) => void {
  const readAgain = useReadAgain('terms', 'students')
  return (message, batchId) =>
    showUndoable({
      message,
      whatFailed: 'Failed to undo the change',
      async undo() {
        const undone = await callApi(
          slowApi['enrolment-batches'][':id'].undo.$post({ param: { id: batchId } }),
        )
        showToast('success', undoneText(undone))
        await readAgain()
      },
    })
}

export function undoneText({ count, skipped }: { count: number; skipped: number }): string {
  const undone = `${countOf(count, 'student')} taken back`
  return skipped === 0 ? undone : `${undone}; ${figureText(skipped)} changed since stayed`
}
