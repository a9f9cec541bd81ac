import { type RefObject, useEffect, useState } from 'react'

/** Whose the screen is: the browser's own full screen, or the element covers the window where there is none. */
type FullScreen = 'off' | 'screen' | 'window'

/** Shows an element alone. Escape leaves, as everywhere. */
export function useFullScreen(element: RefObject<HTMLElement | null>) {
  const [state, setState] = useState<FullScreen>('off')

  useEffect(() => {
    const onChange = () => {
      const isOn = document.fullscreenElement !== null && document.fullscreenElement === element.current
      setState((before) => (isOn ? 'screen' : before === 'screen' ? 'off' : before))
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [element])

  useEffect(() => {
    if (state !== 'window' || element.current === null) return
    const showRest = hideRest(element.current)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setState('off')
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      showRest()
    }
  }, [state, element])

  async function enter() {
    try {
      // Telephones of one maker have no full screen for anything but videos.
      if (element.current?.requestFullscreen) await element.current.requestFullscreen()
      else setState('window')
    } catch {
      // Refused, as in a frame of another page.
      setState('window')
    }
  }

  return {
    isFull: state !== 'off',
    /** Whether the element itself has to cover the window. */
    isCovering: state === 'window',
    toggle() {
      if (state === 'off') void enter()
      else if (state === 'screen') void document.exitFullscreen()
      else setState('off')
    },
  }
}

/** Takes everything but the element out of reach of keys and screen readers; the page behind doesn't scroll. */
function hideRest(element: HTMLElement): () => void {
  const hidden: HTMLElement[] = []
  for (let inner: HTMLElement = element; inner.parentElement; inner = inner.parentElement) {
    for (const other of inner.parentElement.children) {
      if (other === inner || !(other instanceof HTMLElement) || other.inert) continue
      other.inert = true
      hidden.push(other)
    }
  }
  const { overflow } = document.documentElement.style
  document.documentElement.style.overflow = 'hidden'
  return () => {
    for (const other of hidden) other.inert = false
    document.documentElement.style.overflow = overflow
  }
}
