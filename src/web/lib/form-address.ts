import { useLocation, useNavigate } from 'react-router'

// The state of the history entry of a form that was opened from the list.
const fromList = { openedFromList: true }

/** @param isOpen false as soon as it closes */
export function useFormAddress(isOpen: boolean) {
  const navigate = useNavigate()
  const { state, key } = useLocation()
  return {
    /** @param replace takes the place of the open form; closing it leads to where that one was opened from */
    open(path: string, { replace = false } = {}) {
      // The end of saving a form that was left meanwhile.
      if (replace && keyOfEntry() !== key) return
      void navigate(path, { replace, state: replace ? state : fromList, preventScrollReset: true })
    },
    close(listPath: string) {
      // The time after which a saved form closes may end while it is closing.
      if (!isOpen) return
      // The end of saving a form that was left meanwhile.
      if (keyOfEntry() !== key) return
      // Opened from the list: one step back, so that Back afterwards doesn't open it again. A shared link has no list
      // in its history.
      if (typeof state === 'object' && state !== null && 'openedFromList' in state) void navigate(-1)
      else void navigate(listPath, { replace: true, preventScrollReset: true })
    },
  }
}

/** The key of the current history entry. The first entry of a page has none: React Router calls its key 'default'. */
function keyOfEntry(): unknown {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'key' in state ? state.key : 'default'
}
