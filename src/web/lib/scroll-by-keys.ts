import { type RefObject, useEffect, useRef } from 'react'

/** What a disabled fieldset holds takes no focus either. */
const tabbable = 'a[href], :is(button, input, select, textarea):not(:disabled), [tabindex="0"]'

/** Lets keys scroll an element that is too small for its content and holds nothing that takes the focus. */
export function useScrollByKeys<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  // After each render, which may have brought or taken content; and when the room changes.
  useEffect(() => {
    const scrolled = element.current
    if (!scrolled) return
    const update = () => {
      const isNeeded =
        scrolled.scrollHeight > scrolled.clientHeight && scrolled.querySelector(tabbable) === null
      if (isNeeded) scrolled.tabIndex = 0
      else scrolled.removeAttribute('tabindex')
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(scrolled)
    for (const child of scrolled.children) observer.observe(child)
    return () => observer.disconnect()
  })
  return element
}
