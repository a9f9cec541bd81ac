import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf } from '#web/lib/count-text.ts'

/** Time to change one's mind about an archiving, in milliseconds: longer than a notice that only tells. */
const undoMs = 20_000

/** Tells that students were archived, and offers to put exactly these back; `onUndone` follows when they are. */
export function tellArchived(message: string, ids: readonly string[], onUndone: () => void): void {
  const onSelect = () => void undo(ids, onUndone)
  showToast({ type: 'success', message, shownMs: undoMs, action: { label: 'Undo', onSelect } })
}

/** The notice outlives the list it came from, so what goes wrong is told by a notice too. */
async function undo(ids: readonly string[], onUndone: () => void): Promise<void> {
  try {
    const { count } = await callApi(api.students.unarchive.$post({ json: { ids: [...ids] } }))
    showToast({ type: 'success', message: unarchivedSentence(count) })
    onUndone()
  } catch (error) {
    const action = { label: 'Try again', onSelect: () => void undo(ids, onUndone) }
    const noun = ids.length === 1 ? 'student' : 'students'
    const message = `Failed to unarchive ${noun}: ${sentenceOf(error)}`
    showToast({ type: 'error', message, shownMs: undoMs, action })
  }
}

function unarchivedSentence(count: number): string {
  return count === 1
    ? 'Student unarchived successfully'
    : `${countOf(count, 'student')} unarchived successfully`
}

/** Of a selection (spec §8), which may be of one. */
export function archivedSentence(count: number): string {
  return `${countOf(count, 'student')} archived successfully`
}
