import { useEffect } from 'react'
import { abortable } from '#web/lib/timers.ts'
import { showToast } from './toaster.tsx'

// The enlistment form and its confirmation are kept in the browser.
const keptPages = ['/register', '/register/confirmation']

export const offlineSentence =
  'That page needs a connection. Nothing here is lost; try again when you’re back online.'

/**
 * A link to another page stays unfollowed while the device is offline. React Router reloads the document where it can't
 * load a page's script: the browser's own failure page would replace this one.
 */
export function useOfflineLinks(): void {
  useEffect(
    () =>
      abortable(({ signal }) => {
        const follow = (event: MouseEvent) => {
          const link = event.target instanceof Element ? event.target.closest('a') : null
          const isElsewhere =
            link?.origin === window.location.origin &&
            ![window.location.pathname, ...keptPages].includes(link.pathname)
          if (navigator.onLine || !isElsewhere) return
          event.preventDefault()
          event.stopImmediatePropagation()
          showToast('warning', offlineSentence)
        }
        // The listener is on the window, so that it runs before a page asks whether its input may be lost.
        window.addEventListener('click', follow, { signal, capture: true })
      }),
    [],
  )
}
