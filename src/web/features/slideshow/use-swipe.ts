import { type RefObject, useEffect, useEffectEvent } from 'react'

/** From here on a finger pulls the slide, in pixels; before, it may only have trembled. */
const slackPx = 8
/** The part of the width after which a pull goes on to the other slide. */
const farPart = 0.15

interface Swipe {
  isBlocked: boolean
  /** The finger has pulled the slide so many pixels to the right, or to the left when negative. */
  onDrag: (pulled: number) => void
  /** It has let go. */
  onRelease: (pulled: number, isFar: boolean) => void
}

/** Follows a finger that pulls sideways. Up and down remains the browser's, by the element's touch-action. */
export function useSwipe(
  target: RefObject<HTMLElement | null>,
  { isBlocked, onDrag, onRelease }: Swipe,
): void {
  const pull = useEffectEvent(onDrag)
  const release = useEffectEvent(onRelease)
  const mayBegin = useEffectEvent((event: PointerEvent) => {
    return !isBlocked && event.isPrimary && event.pointerType !== 'mouse'
  })

  useEffect(() => {
    const element = target.current
    if (!element) return
    const stop = new AbortController()
    let begin: { id: number; x: number } | null = null
    const pulledBy = (event: PointerEvent) => {
      const pulled = begin?.id === event.pointerId ? event.clientX - begin.x : 0
      return Math.abs(pulled) > slackPx ? pulled : 0
    }
    const end = (pulled: number) => {
      begin = null
      release(pulled, Math.abs(pulled) > element.clientWidth * farPart)
    }
    const on = (
      type: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel',
      follow: (event: PointerEvent) => void,
    ) => element.addEventListener(type, follow, { signal: stop.signal })
    on('pointerdown', (event) => {
      if (!mayBegin(event)) return
      begin = { id: event.pointerId, x: event.clientX }
      element.setPointerCapture(event.pointerId)
    })
    on('pointermove', (event) => {
      if (begin) pull(pulledBy(event))
    })
    on('pointerup', (event) => {
      if (begin) end(pulledBy(event))
    })
    on('pointercancel', () => {
      if (begin) end(0)
    })
    return () => stop.abort()
  }, [target])
}
