import { useEffect } from 'react'
import { holdSessionEnd } from '#web/lib/session-end.ts'
import { showToast } from './toaster.tsx'

/** While something typed isn't saved, a session that ends doesn't take the page away: a notice says what to do. */
export function useHeldSession(isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? holdSessionEnd(tellOfSessionEnd) : undefined), [isUnsaved])
}

function tellOfSessionEnd() {
  showToast({
    type: 'error',
    message: 'Your session has ended. Sign in in another tab, then save here: what you typed stays.',
    // It is the only word about it, and nothing can be saved before.
    shownMs: null,
  })
}
