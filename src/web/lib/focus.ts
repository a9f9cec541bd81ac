import { type RefObject, useEffect, useRef } from 'react'

/**
 * When something goes, and the button in it that was pressed, another place gets the focus.
 *
 * @param isShown whether it is there
 * @param place what gets the focus, without a scroll
 */
export function useFocusBack(isShown: boolean, place: RefObject<HTMLElement | null>): void {
  const wasShown = useRef(false)
  useEffect(() => {
    const isLost = wasShown.current && !isShown && document.activeElement === document.body
    if (isLost) place.current?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown, place])
}

/** Puts the focus on the first of some elements that can take it, once they are drawn. */
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

/**
 * For `ref`: what appears in a scrolled form, above the button that was pressed, is scrolled into sight when it
 * comes.
 */
export function comeIntoSight(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
