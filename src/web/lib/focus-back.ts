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
