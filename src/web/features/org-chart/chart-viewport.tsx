import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '#web/components/button.tsx'
import { startPan } from './chart-pan.ts'
import { KeepPlace } from './chart-place.tsx'
import { greatestScale, leastScale } from './chart-scale.ts'
import { startZoom, type Zoom } from './chart-zoom.ts'

/** How the tree looks; auto is by the screen's width, until scripts run. */
export type TreeLook = 'chart' | 'list' | 'auto'

interface ChartViewportProps {
  view: TreeLook
  /** Begins with as much of a chart in sight as can be read; else in its own size, its buttons easy to meet. */
  isFitted?: boolean
  /** The tree. */
  children: ReactNode
}

/** The window onto a tree. A chart may be wider than it: it is moved and zoomed inside; a list isn't. */
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
            <KeepPlace viewport={viewport} view={view}>
              {children}
            </KeepPlace>
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

/** A chart that is wider than the window begins with its top in the middle. */
function bringToMiddle(viewport: HTMLElement): void {
  const top = viewport.querySelector('[data-node]')
  if (!top) return
  const box = top.getBoundingClientRect()
  const { left, width } = viewport.getBoundingClientRect()
  viewport.scrollLeft += box.left + box.width / 2 - (left + width / 2)
}
