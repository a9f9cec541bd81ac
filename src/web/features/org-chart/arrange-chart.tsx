import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { OrgStep, OrgTarget } from '#shared/org-moves.ts'
import { type DropPlace, watchNodeDrag } from './arrange-drag.ts'
import { showDropMark } from './arrange-drop-mark.ts'
import { ChartView } from './chart-view.tsx'
import { stepKeys } from './node-act.ts'
import { renderDraggableButtons, renderNodeButtons } from './node-buttons.tsx'
import type { TreeNode } from './tree-node.ts'

interface ArrangeChartProps {
  nodes: readonly TreeNode[]
  view: 'chart' | 'list'
  expanded: ReadonlySet<string>
  highlighted: string | null
  onToggle: (ids: readonly string[], isOpen: boolean) => void
  onHighlight: (id: string | null) => void
  /** False while only a part of the chart is in sight: among whom a position would come isn't seen then. */
  canArrange: boolean
  onStep: (id: string, step: OrgStep) => void
  /** Where a dropped node would go; undefined where it can't. */
  targetOf: (place: DropPlace) => OrgTarget | undefined
  onDrop: (id: string, target: OrgTarget) => void
  onEdit: (id: string) => void
  onMenu: (id: string, anchor: HTMLElement) => void
  describedBy: string
}

/** The chart with its buttons, and with what moves positions: the mouse, and arrow keys with the alt key. */
export function ArrangeChart(props: ArrangeChartProps) {
  const { canArrange, onStep, onEdit, onMenu, describedBy } = props
  const mark = useRef<HTMLDivElement>(null)

  const isPossible = useEffectEvent((place: DropPlace) => props.targetOf(place) !== undefined)
  const drop = useEffectEvent((place: DropPlace) => {
    const target = props.targetOf(place)
    if (target) props.onDrop(place.id, target)
  })
  useEffect(() => {
    if (!canArrange) return
    return watchNodeDrag({
      isPossible: (place) => isPossible(place),
      onOver: (place) => mark.current && showDropMark(mark.current, place),
      onDrop: (place) => drop(place),
    })
  }, [canArrange])

  function onKeyDown(event: KeyboardEvent) {
    const step = event.altKey ? stepKeys[event.key] : undefined
    const id = event.target instanceof HTMLElement ? event.target.dataset.node : undefined
    if (!canArrange || step === undefined || id === undefined) return
    // The browser would leave the page.
    event.preventDefault()
    onStep(id, step)
  }

  function onClick(event: MouseEvent) {
    if (!(event.target instanceof Element)) return
    const button = event.target.closest<HTMLElement>('[data-node-button]')
    const id = button?.closest<HTMLElement>('[data-node]')?.dataset.node
    if (!button || id === undefined) return
    if (button.dataset.nodeButton === 'edit') onEdit(id)
    else onMenu(id, button)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears of the buttons and items inside of it
    <div onKeyDown={onKeyDown} onClick={onClick}>
      <ChartView
        label="Positions"
        nodes={props.nodes}
        view={props.view}
        expanded={props.expanded}
        highlighted={props.highlighted}
        onToggle={props.onToggle}
        onHighlight={props.onHighlight}
        renderActions={canArrange ? renderDraggableButtons : renderNodeButtons}
        describedBy={describedBy}
      />
      <div
        ref={mark}
        hidden
        aria-hidden="true"
        className="pointer-events-none fixed z-30 rounded-box bg-primary data-[side=under]:border-4 data-[side=under]:border-primary data-[side=under]:bg-transparent"
      />
    </div>
  )
}

/** The box of a node on the screen. */
export function boxOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-node="${CSS.escape(id)}"]`)
}
