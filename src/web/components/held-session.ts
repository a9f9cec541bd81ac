import { useEffect } from 'react'
import { holdSessionEnd, signInAgainPath } from '#web/lib/session-end.ts'
import { showToast } from './toaster.tsx'

/** While something typed isn't saved, a session that ends doesn't take the page away: a notice says what to do. */
export function useHeldSession(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    let takeAway: (() => void) | undefined
    const letGo = holdSessionEnd({
      onEnd: (sentence) => {
        takeAway = tellOfSessionEnd(sentence)
      },
      onResume: () => takeAway?.(),
    })
    return () => {
      letGo()
      takeAway?.()
    }
  }, [isUnsaved])
}

/** @param refusal what the server said: a form need not say it again beside this */
function tellOfSessionEnd(refusal: string) {
  return showToast({
    type: 'error',
    message: 'Your session has ended. Sign in in another tab, then save here: what you typed stays.',
    action: {
      label: 'Sign in',
      staysOpen: true,
      onSelect: () => window.open(signInAgainPath(), '_blank', 'noopener'),
    },
    // It is the only word about it, and nothing can be saved before.
    shownMs: null,
    covers: (message) => message.endsWith(refusal),
  })
}
