import { type CSSProperties, type KeyboardEvent, type PointerEvent, useState } from 'react'
import type { StudentSortKey } from '#shared/students/students.ts'
import { useListView, writeView } from './list-view.ts'

// In px.
const leastWidth = 48
const stepWidth = 16
// Of a column that was hidden when the others were dragged.
const usualWidth = 100

type ColumnStyle = CSSProperties & { '--column': string }

// The ticks and the actions have the rest.
const sharedPercent = 90.5

/** The dragged widths as shares, so that the table is never wider than its frame; null until a column is dragged. */
export function useColumnStyles(columns: readonly StudentSortKey[]): ColumnStyle[] | null {
  const { widths } = useListView()
  if (Object.keys(widths).length === 0) return null
  const shown = columns.map((column) => widths[column] ?? usualWidth)
  const total = shown.reduce((sum, width) => sum + width, 0)
  return shown.map((width) => ({ '--column': `${((sharedPercent * width) / total).toFixed(2)}%` }))
}

interface ColumnEdgeProps {
  column: StudentSortKey
  label: string
}

/** Between two columns: it gives the one what it takes from the other, dragged or by the arrow keys. */
export function ColumnEdge({ column, label }: ColumnEdgeProps) {
  const view = useListView()
  const [dragged, setDragged] = useState<{ from: number; move: (by: number) => void } | null>(null)
  const [width, setWidth] = useState<number>()

  /** @returns moves the edge on the screen */
  function grasp(edge: HTMLElement) {
    const cells = cellsAround(edge)
    const widths = cells.map((cell) => cell.offsetWidth)
    return (by: number) => {
      const [own = 0, next = 0] = widths
      const most = Math.max(0, next - leastWidth)
      const moved = Math.min(Math.max(by, Math.min(0, leastWidth - own)), most)
      for (const [index, cell] of cells.entries()) {
        cell.style.width = `${(widths[index] ?? 0) + (index === 0 ? moved : -moved)}px`
      }
      setWidth(own + moved)
    }
  }

  function keep(edge: HTMLElement) {
    const cells = [...(edge.closest('tr')?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])]
    const measured = Object.fromEntries(cells.map((cell) => [cell.dataset.column, cell.offsetWidth]))
    for (const cell of cells) cell.style.width = ''
    writeView({ ...view, widths: { ...view.widths, ...measured } })
  }

  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLElement>) {
    const by = key === 'ArrowLeft' ? -stepWidth : key === 'ArrowRight' ? stepWidth : 0
    if (by === 0) return
    grasp(currentTarget)(by)
    keep(currentTarget)
  }

  function onPointerDown({ currentTarget, clientX, pointerId }: PointerEvent<HTMLElement>) {
    currentTarget.setPointerCapture(pointerId)
    setDragged({ from: clientX, move: grasp(currentTarget) })
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be dragged
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={width ?? view.widths[column] ?? usualWidth}
      aria-valuemin={leastWidth}
      onFocus={({ currentTarget }) => setWidth(cellsAround(currentTarget)[0]?.offsetWidth)}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={({ clientX }) => dragged?.move(clientX - dragged.from)}
      onPointerUp={({ currentTarget }) => {
        if (dragged) keep(currentTarget)
        setDragged(null)
      }}
      onPointerCancel={() => setDragged(null)}
      className="absolute inset-y-1 -right-1 z-1 w-2 cursor-col-resize touch-none border-r border-transparent hover:border-edge max-xl:hidden print:hidden"
    />
  )
}

function cellsAround(edge: HTMLElement): HTMLElement[] {
  const cell = edge.closest('th')
  const next = cell?.nextElementSibling
  return cell && next instanceof HTMLElement ? [cell, next] : []
}
