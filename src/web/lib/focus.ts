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
 * While something is being opened, an Enter is meant for the button that will have the focus there, marked with
 * `data-first`. Another key or a press elsewhere ends the waiting.
 */
export function keepNextEnter(): void {
  const end = new AbortController()
  const { signal } = end
  let isPressed = false
  document.addEventListener(
    'keydown',
    ({ key, repeat }) => {
      // A key that is held down was pressed once.
      if (key === 'Enter') isPressed ||= !repeat
      else end.abort()
    },
    { signal, capture: true },
  )
  document.addEventListener('pointerdown', () => end.abort(), { signal, capture: true })
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof HTMLElement && target.matches('[data-first]'))) return
      end.abort()
      if (isPressed) target.click()
    },
    { signal, capture: true },
  )
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
