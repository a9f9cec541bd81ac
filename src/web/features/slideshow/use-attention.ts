import { type RefObject, useEffect, useState } from 'react'

interface Attention {
  isAttended: boolean
  /** Lets the keyboard stay where it is, until it goes on to the next button. */
  dismiss: () => void
}

/**
 * Whether slides should wait: a mouse points at them, the keyboard is at their buttons, or nobody can see them
 * because the tab is hidden or they are off the screen.
 */
export function useAttention(frame: RefObject<HTMLElement | null>): Attention {
  const [isPointed, setPointed] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const [isOffScreen, setOffScreen] = useState(false)
  const [isTabHidden, setTabHidden] = useState(false)

  useEffect(() => {
    const element = frame.current
    if (!element) return
    const stop = new AbortController()
    const { signal } = stop
    // A finger points only while it swipes or presses.
    element.addEventListener('pointerenter', (event) => setPointed(event.pointerType !== 'touch'), { signal })
    element.addEventListener('pointerleave', () => setPointed(false), { signal })
    // A pressed button keeps the focus; only the keyboard's stay counts.
    const noteFocus = () => setFocused(element.querySelector(':focus-visible') !== null)
    element.addEventListener('focusin', noteFocus, { signal })
    element.addEventListener('focusout', () => setFocused(false), { signal })
    const noteTab = () => setTabHidden(document.hidden)
    document.addEventListener('visibilitychange', noteTab, { signal })
    noteTab()
    const observer = new IntersectionObserver(([entry]) => setOffScreen(entry?.isIntersecting === false))
    observer.observe(element)
    return () => {
      stop.abort()
      observer.disconnect()
    }
  }, [frame])

  return {
    isAttended: isPointed || isFocused || isOffScreen || isTabHidden,
    dismiss: () => setFocused(false),
  }
}
