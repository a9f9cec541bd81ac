import { useEffect } from 'react'

/** Fields that the key `/` leads to say so themselves. */
const fields =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]'
const searches = '[aria-keyshortcuts="/"]'

/**
 * The key `/` leads to the search: the content's own, where there is one, else the navigation's. In a field it
 * is a slash, and under a dialog nothing is reached.
 */
export function useSearchKey(): void {
  useEffect(() => {
    function focusOnSlash(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return
      if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      const search = nearestSearch()
      if (!search) return
      event.preventDefault()
      search.focus()
      search.select()
    }
    document.addEventListener('keydown', focusOnSlash)
    return () => document.removeEventListener('keydown', focusOnSlash)
  }, [])
}

function nearestSearch(): HTMLInputElement | undefined {
  const ofContent = document.querySelectorAll<HTMLInputElement>(`main input${searches}`)
  const all = document.querySelectorAll<HTMLInputElement>(`input${searches}`)
  return [...ofContent, ...all].find((input) => input.checkVisibility())
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(fields) !== null
}
