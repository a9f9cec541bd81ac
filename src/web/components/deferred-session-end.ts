import { useEffect } from 'react'
import { deferSessionEnd, signInAgainPath } from '#web/lib/session-end.ts'
import { showToast } from './toaster.tsx'

/** Shows a notice instead of leaving the page when a session ends while input is unsaved. */
export function useDeferredSessionEnd(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    let hideToast: (() => void) | undefined
    const release = deferSessionEnd({
      onEnd(refusal) {
        hideToast = showToast(
          'error',
          'Your session has ended. Sign in in another tab, then save here. Your changes stay on this page.',
          {
            action: {
              label: 'Sign in',
              staysOpen: true,
              onSelect: () => window.open(signInAgainPath(), '_blank', 'noopener'),
            }, // It is the only word about it, and nothing can be saved before.
            shownMs: null,
            covers: (message) => message.endsWith(refusal),
          },
        )
      },
      onResume: () => hideToast?.(),
    })
    return () => {
      release()
      hideToast?.()
    }
  }, [isUnsaved])
}
