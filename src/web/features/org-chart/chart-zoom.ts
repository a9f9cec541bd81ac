import { clampScale, fittingScale, scaleAfterWheel, scaleStep } from './chart-scale.ts'

/** The picture is made sharp again when the scale hasn't changed for so long, in milliseconds. */
const settleMs = 200

interface ZoomParts {
  /** What scrolls. */
  viewport: HTMLElement
  /** As large as the chart looks; inside of the viewport. */
  room: HTMLElement
  /** The chart in its own size; inside of the room. */
  plane: HTMLElement
  /** Told after each change. */
  onScale: (scale: number) => void
}

export interface Zoom {
  larger: () => void
  smaller: () => void
  /** Makes the whole chart fit. */
  fit: () => void
  stop: () => void
}

/** Makes a chart larger and smaller by buttons, wheel and pinch. Past React: each frame costs a transform. */
export function startZoom({ viewport, room, plane, onScale }: ZoomParts): Zoom {
  let scale = 1
  let settling: ReturnType<typeof setTimeout> | undefined
  let pinch: { distance: number; scale: number } | undefined

  /** @param at the point of the screen that stays where it is */
  function zoomTo(wanted: number, at = middleOf(viewport)) {
    const next = clampScale(wanted)
    const before = room.getBoundingClientRect()
    const share = { x: (at.x - before.left) / before.width, y: (at.y - before.top) / before.height }
    scale = next
    // Meanwhile the browser scales the picture that it has, and doesn't paint hundreds of boxes for each frame.
    plane.style.willChange = 'transform'
    clearTimeout(settling)
    settling = setTimeout(settle, settleMs)
    layOut()
    const after = room.getBoundingClientRect()
    viewport.scrollLeft += after.left + share.x * after.width - at.x
    viewport.scrollTop += after.top + share.y * after.height - at.y
    onScale(scale)
  }

  function settle() {
    plane.style.willChange = ''
  }

  function layOut() {
    const isOwnSize = scale === 1
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
    larger: () => zoomTo(scale * scaleStep),
    smaller: () => zoomTo(scale / scaleStep),
    fit() {
      const chart = { width: plane.offsetWidth, height: plane.offsetHeight }
      zoomTo(fittingScale(chart, { width: viewport.clientWidth, height: viewport.clientHeight }))
    },
    stop() {
      stopping.abort()
      growth.disconnect()
      clearTimeout(settling)
      settle()
      scale = 1
      layOut()
    },
  }
}

function middleOf(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
