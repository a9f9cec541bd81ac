import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { StudentSortKey } from '#shared/students/students.ts'
import { useListView, useWriteView } from './list-view.ts'

// Widths are in px.
const leastWidth = 48
const stepWidth = 16
// The width of a column that was hidden when the others were dragged.
const usualWidth = 100

type ColumnStyle = CSSProperties & { '--column': string }

// The ticks and the actions have the rest.
const sharedPercent = 90.5

/** The dragged widths as shares, so that the table is never wider than its frame; null until a column is dragged. */
export function useColumnStyles(columns: readonly StudentSortKey[]): ColumnStyle[] | null {
  const { widths } = useListView()
  if (Object.keys(widths).length === 0) return null
  const columnWidths = columns.map((column) => widths[column] ?? usualWidth)
  const total = columnWidths.reduce((sum, width) => sum + width, 0)
  return columnWidths.map((width) => ({ '--column': `${((sharedPercent * width) / total).toFixed(2)}%` }))
}

/** The keys of a column's title: Shift and an arrow move its right edge. */
export function useWidthKeys() {
  const keepWidths = useKeepWidths()
  return (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowLeft' ? -stepWidth : event.key === 'ArrowRight' ? stepWidth : 0
    if (by === 0 || !event.shiftKey) return
    event.preventDefault()
    grasp(event.currentTarget)?.(by)
    keepWidths(event.currentTarget)
  }
}

/** What a pointer drags, over the border of two columns. */
export function ColumnEdge() {
  const keepWidths = useKeepWidths()
  const [dragged, setDragged] = useState<{ from: number; move: (by: number) => void } | null>(null)

  function onPointerDown({ currentTarget, clientX, pointerId }: PointerEvent<HTMLElement>) {
    const move = grasp(currentTarget)
    if (!move) return
    currentTarget.setPointerCapture(pointerId)
    setDragged({ from: clientX, move })
  }

  return (
    // Keyboard users move this edge from the title of its column.
    <span
      aria-hidden="true"
      data-edge=""
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => dragged?.move(clientX - dragged.from)}
      onPointerUp={({ currentTarget }) => {
        if (dragged) keepWidths(currentTarget)
        setDragged(null)
      }}
      onPointerCancel={() => setDragged(null)}
      className="absolute inset-y-1 -right-1 z-1 w-2 cursor-col-resize touch-none border-r border-transparent hover:border-edge max-xl:hidden print:hidden"
    />
  )
}

/** Gives a column what it takes from the next. @returns moves their edge on the screen; null for the last column */
function grasp(place: HTMLElement): ((by: number) => void) | null {
  const own = place.closest('th')
  const next = own?.nextElementSibling
  if (!own || !(next instanceof HTMLElement) || next.dataset.column === undefined) return null
  const [width, nextWidth] = [own.offsetWidth, next.offsetWidth]
  return (by) => {
    const moved = Math.min(Math.max(by, leastWidth - width), nextWidth - leastWidth)
    own.style.width = `${width + moved}px`
    next.style.width = `${nextWidth - moved}px`
  }
}

function useKeepWidths() {
  const view = useListView()
  const writeView = useWriteView()
  return (place: HTMLElement) => {
    const cells = [...(place.closest('tr')?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
    const measured = Object.fromEntries(cells.map((cell) => [cell.dataset.column, cell.offsetWidth]))
    for (const cell of cells) cell.style.width = ''
    writeView({ ...view, widths: { ...view.widths, ...measured } })
  }
}
