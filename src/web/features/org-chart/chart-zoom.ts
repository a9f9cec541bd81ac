import { clampScale, firstScale, fittingScale, scaleAfterWheel, scaleStep } from './chart-scale.ts'

/** A gesture is over when the scale hasn't changed for so long, in milliseconds. */
const settleMs = 150

interface ZoomParts {
  /** What scrolls. */
  viewport: HTMLElement
  /** As large as the chart looks; inside of the viewport. */
  room: HTMLElement
  /** The chart in its own size; inside of the room. */
  plane: HTMLElement
  /** Told when a change is done. */
  onScale: (scale: number) => void
}

export interface Zoom {
  larger: () => void
  smaller: () => void
  /** As a chart is first seen: much of it, but not so small that nobody can read it. */
  begin: () => void
  /** Makes the whole chart fit. */
  fit: () => void
  stop: () => void
}

/**
 * Makes a chart larger and smaller by buttons, wheel and pinch. Past React, and during a gesture past the layout
 * too: each frame only moves the picture that the browser has, instead of painting hundreds of boxes anew.
 */
export function startZoom({ viewport, room, plane, onScale }: ZoomParts): Zoom {
  let scale = 1
  /** How far a gesture has moved the chart from the corner of its room. */
  let shift = { x: 0, y: 0 }
  let settling: ReturnType<typeof setTimeout> | undefined
  let pinch: { distance: number; scale: number } | undefined

  /** @param at the point of the screen that stays where it is */
  function zoomTo(wanted: number, at = middleOf(viewport)) {
    const next = clampScale(wanted)
    const { left, top } = room.getBoundingClientRect()
    const from = { x: at.x - left, y: at.y - top }
    shift = {
      x: from.x - ((from.x - shift.x) * next) / scale,
      y: from.y - ((from.y - shift.y) * next) / scale,
    }
    scale = next
    plane.style.willChange = 'transform'
    plane.style.transform = `translate(${shift.x}px, ${shift.y}px) scale(${scale})`
    clearTimeout(settling)
    settling = setTimeout(settle, settleMs)
  }

  function zoomAtOnce(wanted: number) {
    zoomTo(wanted)
    settle()
  }

  /** Gives the chart the room that it takes now, and scrolls to where the gesture has moved it. */
  function settle() {
    clearTimeout(settling)
    const before = room.getBoundingClientRect()
    const wanted = { x: before.left + shift.x, y: before.top + shift.y }
    shift = { x: 0, y: 0 }
    layOut()
    const after = room.getBoundingClientRect()
    viewport.scrollLeft += after.left - wanted.x
    viewport.scrollTop += after.top - wanted.y
    onScale(scale)
  }

  function layOut() {
    const isOwnSize = scale === 1
    plane.style.willChange = ''
    plane.style.transform = isOwnSize ? '' : `scale(${scale})`
    room.style.width = isOwnSize ? '' : `${plane.offsetWidth * scale}px`
    room.style.height = isOwnSize ? '' : `${plane.offsetHeight * scale}px`
  }

  function onWheel(event: WheelEvent) {
    if (!event.ctrlKey) return
    event.preventDefault()
    zoomTo(scaleAfterWheel(scale, event.deltaY), { x: event.clientX, y: event.clientY })
  }

  function onTouchMove(event: TouchEvent) {
    const [first, second] = event.touches
    if (first === undefined || second === undefined) return
    event.preventDefault()
    const distance = Math.hypot(first.clientX - second.clientX, first.clientY - second.clientY)
    pinch ??= { distance, scale }
    zoomTo((pinch.scale * distance) / pinch.distance, {
      x: (first.clientX + second.clientX) / 2,
      y: (first.clientY + second.clientY) / 2,
    })
  }

  function onTouchEnd(event: TouchEvent) {
    if (event.touches.length < 2) pinch = undefined
  }

  const stopping = new AbortController()
  const { signal } = stopping
  viewport.addEventListener('wheel', onWheel, { passive: false, signal })
  viewport.addEventListener('touchmove', onTouchMove, { passive: false, signal })
  viewport.addEventListener('touchend', onTouchEnd, { signal })
  viewport.addEventListener('touchcancel', onTouchEnd, { signal })
  // Nodes are opened and closed, or come from elsewhere.
  const growth = new ResizeObserver(layOut)
  growth.observe(plane)

  return {
    larger: () => zoomAtOnce(scale * scaleStep),
    smaller: () => zoomAtOnce(scale / scaleStep),
    begin: () => zoomAtOnce(firstScale(sizeOf(plane), roomOf(viewport))),
    fit: () => zoomAtOnce(fittingScale(sizeOf(plane), roomOf(viewport))),
    stop() {
      stopping.abort()
      growth.disconnect()
      clearTimeout(settling)
      scale = 1
      layOut()
    },
  }
}

/** Its own size, whatever its scale. */
function sizeOf({ offsetWidth, offsetHeight }: HTMLElement): { width: number; height: number } {
  return { width: offsetWidth, height: offsetHeight }
}

/** What a chart may take: the foot is kept for the buttons that lie there, however small the chart is. */
function roomOf(viewport: HTMLElement): { width: number; height: number } {
  const foot = Number.parseFloat(getComputedStyle(viewport).paddingBottom)
  return { width: viewport.clientWidth, height: viewport.clientHeight - foot }
}

function middleOf(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
