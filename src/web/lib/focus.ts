import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'

/** When an element with focus goes away, moves the focus without a scroll. */
export function useFocusBack(isShown: boolean, place: RefObject<HTMLElement | null>): void {
  const wasShown = useRef(false)
  useEffect(() => {
    const isLost = wasShown.current && !isShown && document.activeElement === document.body
    if (isLost) place.current?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown, place])
}

export function useFocusAfterRender(): (...ids: string[]) => void {
  const wanted = useRef<readonly string[]>([])
  useEffect(() => {
    const elements = wanted.current.map((id) => document.getElementById(id))
    wanted.current = []
    elements.find((element) => element?.matches(':enabled'))?.focus()
  })
  return (...ids: string[]) => {
    wanted.current = ids
  }
}

// For `ref`: scrolls a new element above the pressed button into view.
export function scrollIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/**
 * For a dialog that focuses a button: the focus may move between `keydown` and `keypress` of the Enter that opened it, and
 * the button would react to the rest of that key press.
 */
export function useIgnoreOpeningKey() {
  const hasOwnKey = useRef(false)
  return {
    onKeyDownCapture() {
      hasOwnKey.current = true
    },
    onKeyPressCapture(event: KeyboardEvent) {
      if (!hasOwnKey.current) event.preventDefault()
    },
  }
}
