import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { Component, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/components/button.tsx'

/** auto: by the screen's width, until scripts run. */
export type TreeClassNames = 'chart' | 'list' | 'auto'

interface ChartViewportProps {
  view: TreeClassNames
  /** Begins zoomed out as far as is readable; otherwise at scale 1. */
  isFitted?: boolean
  children: ReactNode
}

export function ChartViewport({ view, isFitted, children }: ChartViewportProps) {
  const viewport = useRef<HTMLDivElement>(null)
  const room = useRef<HTMLDivElement>(null)
  const plane = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState<Zoom | null>(null)
  const [scale, setScale] = useState(1)

  useEffect(() => {
    if (view !== 'chart' || !viewport.current || !room.current || !plane.current) return
    const parts = { viewport: viewport.current, room: room.current, plane: plane.current }
    const started = startZoom({ ...parts, onScale: setScale })
    const stopPan = startPan(parts.viewport)
    if (isFitted) started.begin()
    else setScale(1)
    bringToMiddle(parts.viewport)
    setZoom(started)
    return () => {
      started.stop()
      stopPan()
      setZoom(null)
    }
  }, [view, isFitted])

  // Until the tree takes keys itself, the window can be scrolled by them.
  const keys = zoom === null && view !== 'list' ? { tabIndex: 0, role: 'region', 'aria-label': 'Chart' } : {}
  return (
    <div data-view={view} className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={viewport}
        {...keys}
        className="-m-1 isolate min-h-0 flex-1 overflow-x-auto p-1 chart:m-0 chart:p-0 chart:max-h-[80dvh] chart:cursor-grab chart:touch-pan-x chart:touch-pan-y chart:overflow-auto chart:pb-16 chart:rounded-box chart:border chart:bg-bg chart:[overflow-anchor:none] chart:data-dragging:cursor-grabbing chart:data-dragging:select-none in-data-full:chart:max-h-none"
      >
        <div ref={room} className="chart:mx-auto chart:w-max">
          <div ref={plane} className="chart:w-max chart:origin-top-left chart:px-4 chart:pt-6">
            <RestoreScroll viewport={viewport} view={view}>
              {children}
            </RestoreScroll>
          </div>
        </div>
      </div>
      {zoom && (
        <fieldset
          aria-label="Zoom"
          className="absolute right-3 bottom-3 flex items-center rounded-box border border-edge bg-card shadow-card"
        >
          <IconButton size="md" label="Zoom out" disabled={scale <= leastScale} onClick={zoom.smaller}>
            <ZoomOut aria-hidden="true" className="size-5" />
          </IconButton>
          <span className="min-w-11 text-center text-sm tabular-nums">{Math.round(scale * 100)}%</span>
          <IconButton size="md" label="Zoom in" disabled={scale >= greatestScale} onClick={zoom.larger}>
            <ZoomIn aria-hidden="true" className="size-5" />
          </IconButton>
          <IconButton size="md" label="Fit the whole chart" onClick={zoom.fit}>
            <Maximize aria-hidden="true" className="size-5" />
          </IconButton>
        </fieldset>
      )}
    </div>
  )
}

function bringToMiddle(viewport: HTMLElement): void {
  const top = viewport.querySelector('[data-node]')
  if (!top) return
  const box = top.getBoundingClientRect()
  const { left, width } = viewport.getBoundingClientRect()
  viewport.scrollLeft += box.left + box.width / 2 - (left + width / 2)
}

interface RestoreScrollProps {
  viewport: RefObject<HTMLElement | null>
  view: string
  children: ReactNode
}

interface ScrollPosition {
  id: string
  x: number
  y: number
}

/**
 * Keeps the scroll position of a box when others come and go: the focused box, else the
 * highlighted, else the first. A class, because only `getSnapshotBeforeUpdate` runs before the DOM
 * changes.
 */
class RestoreScroll extends Component<RestoreScrollProps> {
  override shouldComponentUpdate({ children, view }: RestoreScrollProps): boolean {
    return children !== this.props.children || view !== this.props.view
  }

  override getSnapshotBeforeUpdate(): ScrollPosition | null {
    const viewport = this.props.viewport.current
    const focused = document.activeElement?.closest('[data-node]')
    const box =
      (focused && viewport?.contains(focused) ? focused : null) ??
      viewport?.querySelector('[aria-selected="true"]') ??
      viewport?.querySelector('[data-node]')
    if (!viewport || !(box instanceof HTMLElement)) return null
    return { id: box.dataset.node ?? '', ...within(viewport, box) }
  }

  override componentDidUpdate({ view }: RestoreScrollProps, _state: unknown, before: ScrollPosition | null) {
    const viewport = this.props.viewport.current
    if (viewport === null || before === null || view !== this.props.view) return
    const box = viewport.querySelector(`[data-node="${CSS.escape(before.id)}"]`)
    if (box === null) return
    const now = within(viewport, box)
    viewport.scrollLeft += now.x - before.x
    viewport.scrollTop += now.y - before.y
  }

  override render() {
    return this.props.children
  }
}

function within(viewport: Element, box: Element): { x: number; y: number } {
  const outer = viewport.getBoundingClientRect()
  const { left, top } = box.getBoundingClientRect()
  return { x: left - outer.left, y: top - outer.top }
}

// Pixels before a press becomes a drag.
const slack = 4
// In pixels.
const keyStep = 80

const keyMoves: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
}

/**
 * Pans by mouse drag and by shift + arrow keys. Touch and wheel use the browser's scrolling.
 * @returns the cleanup
 */
function startPan(viewport: HTMLElement): () => void {
  let last: { x: number; y: number } | undefined
  let isDragging = false

  function onDown(event: PointerEvent) {
    if (event.pointerType !== 'mouse' || event.button !== 0 || isElsewhere(event.target)) return
    last = { x: event.clientX, y: event.clientY }
    isDragging = false
  }

  function onMove(event: PointerEvent) {
    if (last === undefined) return
    const dx = event.clientX - last.x
    const dy = event.clientY - last.y
    if (!isDragging) {
      if (Math.hypot(dx, dy) < slack) return
      isDragging = true
      viewport.setPointerCapture(event.pointerId)
      viewport.dataset.dragging = ''
    }
    viewport.scrollLeft -= dx
    viewport.scrollTop -= dy
    last = { x: event.clientX, y: event.clientY }
  }

  function onUp() {
    last = undefined
    delete viewport.dataset.dragging
  }

  // The click after a drag isn't meant for the box under it.
  function onClick(event: MouseEvent) {
    if (isDragging) event.stopPropagation()
    isDragging = false
  }

  function onKey(event: KeyboardEvent) {
    const move = event.shiftKey ? keyMoves[event.key] : undefined
    if (move === undefined) return
    event.preventDefault()
    viewport.scrollBy({ left: move[0], top: move[1] })
  }

  const stopping = new AbortController()
  const { signal } = stopping
  viewport.addEventListener('pointerdown', onDown, { signal })
  viewport.addEventListener('pointermove', onMove, { signal })
  viewport.addEventListener('pointerup', onUp, { signal })
  viewport.addEventListener('pointercancel', onUp, { signal })
  viewport.addEventListener('click', onClick, { capture: true, signal })
  viewport.addEventListener('keydown', onKey, { signal })
  return () => stopping.abort()
}

function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[draggable="true"], input, select, textarea') !== null
}

// In ms without a change of scale.
const settleMs = 150

interface ZoomParts {
  viewport: HTMLElement
  room: HTMLElement
  plane: HTMLElement
  onScale: (scale: number) => void
}

interface Zoom {
  larger: () => void
  smaller: () => void
  begin: () => void
  fit: () => void
  stop: () => void
}

/**
 * Zooms by buttons, wheel and pinch. Changes the DOM without React, and without layout during a
 * gesture: each frame only transforms the painted layer instead of painting hundreds of boxes.
 */
function startZoom({ viewport, room, plane, onScale }: ZoomParts): Zoom {
  let scale = 1
  let shift = { x: 0, y: 0 }
  let settling: ReturnType<typeof setTimeout> | undefined
  let pinch: { distance: number; scale: number } | undefined

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

  // Gives the chart its layout size and converts the transform into a scroll position.
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

function sizeOf({ offsetWidth, offsetHeight }: HTMLElement): { width: number; height: number } {
  return { width: offsetWidth, height: offsetHeight }
}

// The foot is reserved for the buttons there.
function roomOf(viewport: HTMLElement): { width: number; height: number } {
  const foot = Number.parseFloat(getComputedStyle(viewport).paddingBottom)
  return { width: viewport.clientWidth, height: viewport.clientHeight - foot }
}

function middleOf(element: HTMLElement): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

export const leastScale = 0.1
export const greatestScale = 2
const scaleStep = 1.25

export function clampScale(scale: number): number {
  return Math.min(greatestScale, Math.max(leastScale, scale))
}

interface Size {
  width: number
  height: number
}

/** Never above 1. */
export function fittingScale(chart: Size, screen: Size): number {
  if (chart.width === 0 || chart.height === 0) return 1
  return clampScale(Math.min(1, screen.width / chart.width, screen.height / chart.height))
}

// Below this scale names can't be read.
const leastFirstScale = 0.6

export function firstScale(chart: Size, screen: Size): number {
  return Math.max(leastFirstScale, fittingScale(chart, screen))
}

/** A pinch on a touchpad arrives as a wheel event with the control key. */
export function scaleAfterWheel(scale: number, deltaY: number): number {
  // A wheel's notch is about 100, a touchpad sends many small steps.
  const turned = Math.max(-50, Math.min(50, deltaY))
  return clampScale(scale * Math.exp(-turned / 200))
}
