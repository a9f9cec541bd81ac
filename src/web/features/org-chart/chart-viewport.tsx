import { clsx } from 'clsx'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { boxOf } from './tree-view.tsx'

/** auto: by the screen's width, until scripts run. */
export type TreeClassNames = 'chart' | 'list' | 'auto'

interface ChartViewportProps {
  view: TreeClassNames
  /** Brought into sight when it is chosen or added. */
  highlighted: string | null
  children: ReactNode
}

// The distance of one key press, in pixels.
const keyStep = 80

const keyMoves: Partial<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-keyStep, 0],
  ArrowRight: [keyStep, 0],
  ArrowUp: [0, -keyStep],
  ArrowDown: [0, keyStep],
}

/** A frame that the chart is scrolled in: by the browser's own means, and by Shift with the arrow keys. */
export function ChartViewport({ view, highlighted, children }: ChartViewportProps) {
  const frame = useRef<HTMLDivElement>(null)
  const lastHighlighted = useRef(highlighted)
  useAnchor(frame)

  // The top of the chart in the middle.
  useLayoutEffect(() => {
    const top = frame.current?.querySelector('[data-node]')
    if (view !== 'chart' || !frame.current || !top) return
    const { left, width } = frame.current.getBoundingClientRect()
    const box = top.getBoundingClientRect()
    frame.current.scrollLeft += box.left + box.width / 2 - (left + width / 2)
  }, [view])

  useEffect(() => {
    if (highlighted === lastHighlighted.current) return
    const box = highlighted === null ? null : boxOf(highlighted, frame.current ?? undefined)
    // A new position comes with the next reading.
    if (highlighted !== null && box === null) return
    lastHighlighted.current = highlighted
    box?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  function onKeyDown(event: KeyboardEvent) {
    const move = event.shiftKey ? keyMoves[event.key] : undefined
    if (!move) return
    frame.current?.scrollBy(move[0], move[1])
    event.preventDefault()
  }

  // A browser leaves a box where it is of which a part can be seen.
  function onFocus({ target }: { target: EventTarget }) {
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return
    target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  return (
    <div data-view={view} className="flex min-h-0 flex-1 flex-col">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys scroll it, as the browser's own do */}
      <div
        ref={frame}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        // This frame takes the focus, so that keys can scroll it, until the tree takes the keys.
        {...(view === 'auto' ? { tabIndex: 0, role: 'region', 'aria-label': 'Chart' } : {})}
        className={clsx(
          '-m-1 isolate min-h-0 flex-1 overflow-x-auto p-1 chart:m-0 chart:overflow-auto chart:rounded-box',
          'chart:border chart:bg-bg chart:p-0 chart:max-h-[80dvh] in-data-full:chart:max-h-none',
        )}
      >
        <div className="chart:mx-auto chart:w-max chart:px-4 chart:py-6">{children}</div>
      </div>
    </div>
  )
}

/** Holds a box in its place on the screen when others come and go: the focused box, else the highlighted, else the first. */
function useAnchor(ref: RefObject<HTMLDivElement | null>): void {
  const anchor = useRef<{ id: string; x: number; y: number } | null>(null)

  useLayoutEffect(() => {
    const frame = ref.current
    if (!frame) return
    const placeOf = (box: Element) => {
      const { left, top } = box.getBoundingClientRect()
      const origin = frame.getBoundingClientRect()
      return { x: left - origin.left + frame.scrollLeft, y: top - origin.top + frame.scrollTop }
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
      frame.scrollBy(now.x - before.x, now.y - before.y)
    }
    note()
    frame.addEventListener('focusin', note)
    return () => frame.removeEventListener('focusin', note)
  })
}
