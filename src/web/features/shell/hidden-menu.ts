import { useSyncExternalStore } from 'react'

const key = 'nstp-side-menu'
const hidden = 'hidden'

/**
 * Puts the menu away in the served page: its own element's parent is what the look follows. Where the browser forbids
 * storage, the menu is shown.
 */
export const hideMenuScript = `try {
if (localStorage.getItem('${key}') === '${hidden}') document.currentScript.parentElement.dataset.menu = '${hidden}'
} catch {}`

const listeners = new Set<() => void>()
/** The choice that the browser didn't keep: it lasts as long as the page. */
let unkept: boolean | null = null

function subscribe(listener: () => void) {
  listeners.add(listener)
  // Written by another tab of this device.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function read(): boolean {
  if (unkept !== null) return unkept
  try {
    return localStorage.getItem(key) === hidden
  } catch {
    // The browser forbids storage: shown, as for everybody who never chose.
    return false
  }
}

function write(isHidden: boolean): void {
  try {
    if (isHidden) localStorage.setItem(key, hidden)
    else localStorage.removeItem(key)
    unkept = null
  } catch {
    // The browser forbids storage, or it is full.
    unkept = isHidden
  }
  for (const listener of listeners) listener()
}

/** Whether this device has put the side menu away, and how to change that. The server draws it shown. */
export function useHiddenMenu(): [isHidden: boolean, setHidden: (isHidden: boolean) => void] {
  return [useSyncExternalStore(subscribe, read, () => false), write]
}
