import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  type TouchEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type WheelEvent,
} from 'react'
import { type ReactZoomPanPinchRef, TransformComponent, TransformWrapper } from 'react-zoom-pan-pinch'
import { IconButton } from '#web/components/button.tsx'
import { boxOf } from './tree-view.tsx'

/** auto: by the screen's width, until scripts run. */
export type TreeClassNames = 'chart' | 'list' | 'auto'

interface ChartViewportProps {
  view: TreeClassNames
  /** Begins zoomed out as far as is readable; otherwise at scale 1. */
  isFitted?: boolean
  /** Brought into sight when it is chosen or added. */
  highlighted: string | null
  children: ReactNode
}

export function ChartViewport({ view, isFitted = false, highlighted, children }: ChartViewportProps) {
  const frame = useRef<HTMLDivElement>(null)
  const pan = useRef<ReactZoomPanPinchRef>(null)
  const shown = useRef(highlighted)

  useEffect(() => {
    if (highlighted === shown.current) return
    const box = highlighted === null ? null : boxOf(highlighted, frame.current ?? undefined)
    // A new position comes with the next reading.
    if (highlighted !== null && box === null) return
    shown.current = highlighted
    if (box) bringIntoSight(pan.current, box)
  })

  return (
    <div ref={frame} data-view={view} className="flex min-h-0 flex-1 flex-col">
      {view === 'chart' ? (
        <MovingChart ref={pan} isFitted={isFitted}>
          {children}
        </MovingChart>
      ) : (
        <div
          // Until the tree takes keys itself, the window can be scrolled by them.
          {...(view === 'auto' ? { tabIndex: 0, role: 'region', 'aria-label': 'Chart' } : {})}
          className="-m-1 isolate min-h-0 flex-1 overflow-x-auto p-1 chart:m-0 chart:max-h-[80dvh] chart:overflow-auto chart:rounded-box chart:border chart:bg-bg chart:p-0 chart:pb-16"
        >
          <div className="chart:mx-auto chart:w-max chart:px-4 chart:pt-6">{children}</div>
        </div>
      )}
    </div>
  )
}

const leastScale = 0.1
const greatestScale = 2
// Below this scale names can't be read.
const leastFirstScale = 0.6
// In pixels.
const keyStep = 80
const dragStep = 24
// From the chart's border, while a box is dragged.
const dragEdge = 40
// Before a press becomes a drag.
const slack = 4

const keyMoves: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [keyStep, 0],
  ArrowRight: [-keyStep, 0],
  ArrowUp: [0, keyStep],
  ArrowDown: [0, -keyStep],
}

interface MovingChartProps {
  ref: RefObject<ReactZoomPanPinchRef | null>
  isFitted: boolean
  children: ReactNode
}

/** Moved by mouse, touch, wheel and Shift with arrows; zoomed by buttons, pinch, Ctrl with the wheel, + and -. */
function MovingChart({ ref, isFitted, children }: MovingChartProps) {
  const [scale, setScale] = useState(1)
  const pressed = useRef<{ x: number; y: number; moves?: 'chart' | 'page' }>({ x: 0, y: 0 })
  useAnchor(ref)

  useLayoutEffect(() => {
    // Scaling leaves the layout as it is: the frame would be as high as the chart in its own size.
    const content = ref.current?.instance.contentComponent
    if (content) content.style.marginBottom = `${(scale - 1) * content.offsetHeight}px`
  })

  function begin(chart: ReactZoomPanPinchRef) {
    if (isFitted) void chart.fitToView({ minScale: leastFirstScale, maxScale: 1 })
    const frame = chart.instance.wrapperComponent?.getBoundingClientRect()
    const top = chart.instance.wrapperComponent?.querySelector('[data-node]')?.getBoundingClientRect()
    if (!frame || !top) return
    // As far down as it goes: to its top.
    const middle = frame.left + frame.width / 2 - (top.left + top.width / 2)
    void chart.panBy(middle, chart.instance.contentComponent?.offsetHeight ?? 0, 0)
  }

  const larger = () => void ref.current?.zoomIn(scale / 4, 0)
  const smaller = () => void ref.current?.zoomOut(scale / 5, 0)

  const handlers = {
    onPointerDown({ clientX: x, clientY: y }: PointerEvent) {
      pressed.current = { x, y }
    },
    // The click after a drag isn't meant for the box under it.
    onClickCapture(event: MouseEvent) {
      const { x, y } = pressed.current
      if (event.detail > 0 && Math.hypot(event.clientX - x, event.clientY - y) >= slack)
        event.stopPropagation()
    },
    // At its end the chart leaves wheel and finger to the page.
    onWheelCapture(event: WheelEvent) {
      if (!event.ctrlKey && !canMove(ref.current, -event.deltaX, -event.deltaY)) event.stopPropagation()
    },
    onTouchMoveCapture(event: TouchEvent) {
      const finger = event.touches[0]
      if (!finger || event.touches.length > 1) return
      const { x, y } = pressed.current
      pressed.current.moves ??= canMove(ref.current, finger.clientX - x, finger.clientY - y)
        ? 'chart'
        : 'page'
      if (pressed.current.moves === 'page') event.stopPropagation()
    },
    onKeyDown(event: KeyboardEvent) {
      const move = event.shiftKey ? keyMoves[event.key] : undefined
      if (move) void ref.current?.panBy(move[0], move[1], 0)
      else if (event.key === '+') larger()
      else if (event.key === '-') smaller()
      else return
      event.preventDefault()
    },
    onFocus({ target }: { target: EventTarget }) {
      if (target instanceof Element && target.matches(':focus-visible')) bringIntoSight(ref.current, target)
    },
    onDragOver({ clientX, clientY, currentTarget }: DragEvent) {
      const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
      const move = (at: number, from: number, to: number) =>
        at < from + dragEdge ? dragStep : at > to - dragEdge ? -dragStep : 0
      void ref.current?.panBy(move(clientX, left, right), move(clientY, top, bottom), 0)
    },
  }

  return (
    <div className="flex max-h-[80dvh] min-h-0 flex-1 flex-col overflow-clip rounded-box border bg-bg in-data-full:max-h-none">
      <TransformWrapper
        ref={ref}
        minScale={leastScale}
        maxScale={greatestScale}
        centerZoomedOut
        disablePadding
        wheel={{ wheelDisabled: true, step: scale / 400 }}
        trackPadPanning={{ disabled: false }}
        doubleClick={{ disabled: true }}
        zoomAnimation={{ disabled: true }}
        autoAlignment={{ animationTime: 0 }}
        velocityAnimation={{
          sensitivityMouse: 0,
          disabled: window.matchMedia('(prefers-reduced-motion: reduce)').matches,
        }}
        onInit={begin}
        onTransform={(_chart, { scale: now }) => setScale(now)}
      >
        <TransformComponent
          wrapperClass="min-h-0 flex-1 cursor-grab active:cursor-grabbing"
          // As attributes: the library's style element comes after our style sheet's layers.
          wrapperStyle={{ width: '100%', overflow: 'clip' }}
          contentStyle={{ display: 'block', width: 'max-content', padding: '1.5rem 1rem' }}
          wrapperProps={handlers}
        >
          {children}
        </TransformComponent>
      </TransformWrapper>
      <fieldset aria-label="Zoom" className="flex items-center justify-end border-t bg-card px-2 py-1.5">
        <IconButton
          size="md"
          label="Zoom out"
          aria-disabled={scale <= leastScale}
          onClick={smaller}
          icon={ZoomOut}
        />
        <span className="min-w-11 text-center text-sm tabular-nums">{Math.round(scale * 100)}%</span>
        <IconButton
          size="md"
          label="Zoom in"
          aria-disabled={scale >= greatestScale}
          onClick={larger}
          icon={ZoomIn}
        />
        <IconButton
          size="md"
          label="Fit the whole chart"
          onClick={() => void ref.current?.fitToView({ maxScale: 1 })}
          icon={Maximize}
        />
      </fieldset>
    </div>
  )
}

function canMove(chart: ReactZoomPanPinchRef | null, x: number, y: number): boolean {
  const bounds = chart?.instance.bounds
  if (!chart || !bounds) return false
  const { positionX, positionY } = chart.state
  return Math.abs(y) > Math.abs(x)
    ? isBetween(positionY + Math.sign(y), bounds.minPositionY, bounds.maxPositionY)
    : isBetween(positionX + Math.sign(x), bounds.minPositionX, bounds.maxPositionX)
}

function isBetween(position: number, least: number, greatest: number): boolean {
  return position >= least && position <= greatest
}

function bringIntoSight(chart: ReactZoomPanPinchRef | null, box: Element): void {
  const frame = chart?.instance.wrapperComponent?.getBoundingClientRect()
  if (frame) {
    const { left, right, top, bottom } = box.getBoundingClientRect()
    void chart?.panBy(
      Math.max(0, frame.left - left) || Math.min(0, frame.right - right),
      Math.max(0, frame.top - top) || Math.min(0, frame.bottom - bottom),
      0,
    )
  }
  box.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/**
 * Holds a box in its place on the screen when others come and go: the focused box, else the
 * highlighted, else the first.
 */
function useAnchor(ref: RefObject<ReactZoomPanPinchRef | null>): void {
  const anchor = useRef<{ id: string; x: number; y: number } | null>(null)

  useLayoutEffect(() => {
    const { wrapperComponent: frame = null, contentComponent: content = null } = ref.current?.instance ?? {}
    if (!ref.current || !frame || !content) return
    const { scale } = ref.current.state
    const placeOf = (box: Element) => {
      const { left, top } = box.getBoundingClientRect()
      const origin = content.getBoundingClientRect()
      return { x: (left - origin.left) / scale, y: (top - origin.top) / scale }
    }
    const note = () => {
      const focused = document.activeElement?.closest('[data-node]')
      const box =
        (focused && frame.contains(focused) ? focused : null) ??
        frame.querySelector('[aria-selected="true"]') ??
        frame.querySelector('[data-node]')
      anchor.current = box instanceof HTMLElement ? { id: box.dataset.node ?? '', ...placeOf(box) } : null
    }
    const before = anchor.current
    const box = before && boxOf(before.id, frame)
    if (before && box) {
      const now = placeOf(box)
      void ref.current.panBy((before.x - now.x) * scale, (before.y - now.y) * scale, 0)
    }
    note()
    frame.addEventListener('focusin', note)
    return () => frame.removeEventListener('focusin', note)
  })
}
