import {
  draggable,
  dropTargetForElements,
  type ElementDropTargetEventPayloadMap,
  type ElementEventPayloadMap,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { Ellipsis, Pencil } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { OrgStep, OrgTarget } from '#shared/org-chart/org-moves.ts'
import { nestNodes } from '#shared/org-chart/org-tree.ts'
import { IconButton } from '#web/components/button.tsx'
import { ChartViewport, type TreeClassNames } from './chart-viewport.tsx'
import type { TreeNode } from './tree-node.ts'
import { type ItemActions, TreeView, type TreeViewProps } from './tree-view.tsx'
import { stepKeys } from './use-arrangement.ts'

interface ArrangeChartProps {
  nodes: readonly TreeNode[]
  view: 'chart' | 'list'
  expanded: ReadonlySet<string>
  highlighted: string | null
  onToggle: (ids: readonly string[], isOpen: boolean) => void
  onHighlight: (id: string | null) => void
  /**
   * False while the chart is filtered: the neighbours of a moved position would be out of sight.
   */
  canArrange: boolean
  onStep: (id: string, step: OrgStep) => void
  targetOf: (place: DropTarget) => OrgTarget | undefined
  onDrop: (id: string, target: OrgTarget) => void
  onEdit: (id: string) => void
  onMenu: (id: string, anchor: HTMLElement) => void
  describedBy: string
}

export function ArrangeChart(props: ArrangeChartProps) {
  const { canArrange, onStep, onEdit, onMenu, describedBy } = props
  const mark = useRef<HTMLDivElement>(null)

  const isPossible = useEffectEvent((place: DropTarget) => props.targetOf(place) !== undefined)
  const drop = useEffectEvent((place: DropTarget) => {
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

export function boxOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-node="${CSS.escape(id)}"]`)
}

// In pixels.
const thickness = 4

/**
 * A line beside a box, or a frame around it. Changes the DOM without React: it follows the mouse.
 */
function showDropMark(mark: HTMLElement, place: DropTarget | null): void {
  mark.hidden = place === null
  if (place === null) return
  const { left, top, width, height } = place.element.getBoundingClientRect()
  const gap = thickness + 1
  const isBefore = place.side === 'before'
  mark.dataset.side = place.side
  if (place.side === 'under') lay(mark, { left, top, width, height })
  else if (isSideBySide(place.element)) {
    lay(mark, { left: isBefore ? left - gap : left + width + 1, top, width: thickness, height })
  } else lay(mark, { left, top: isBefore ? top - gap : top + height + 1, width, height: thickness })
}

function lay(mark: HTMLElement, box: { left: number; top: number; width: number; height: number }): void {
  for (const [side, px] of Object.entries(box)) mark.style.setProperty(side, `${px}px`)
}

interface ChartViewProps extends Omit<TreeViewProps, 'roots' | 'ref'> {
  nodes: readonly TreeNode[]
  view: TreeClassNames
}

function ChartView({ nodes, view, ...tree }: ChartViewProps) {
  const roots = useMemo(() => nestNodes(nodes), [nodes])
  return (
    <ChartViewport view={view} highlighted={tree.highlighted}>
      <TreeView roots={roots} {...tree} />
    </ChartViewport>
  )
}

// The chart handles the presses by the buttons' data attributes.
function renderNodeButtons(node: TreeNode, actions: ItemActions) {
  return <NodeButtons node={node} tabIndex={actions.tabIndex} />
}

function renderDraggableButtons(node: TreeNode, actions: ItemActions) {
  return (
    <>
      <NodeDrag id={node.id} />
      <NodeButtons node={node} tabIndex={actions.tabIndex} />
    </>
  )
}

function NodeButtons({ node, tabIndex }: { node: TreeNode; tabIndex: 0 | -1 }) {
  return (
    <>
      <IconButton
        label={`Edit ${node.name}`}
        tabIndex={tabIndex}
        data-node-button="edit"
        className="max-sm:hidden"
      >
        <Pencil aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        label={`Actions for ${node.name}`}
        tabIndex={tabIndex}
        data-node-button="menu"
        aria-haspopup="menu"
        className="max-md:size-11"
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  )
}

function NodeDrag({ id }: { id: string }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const box = place.current?.closest('[data-node]')
    return box instanceof HTMLElement ? startNodeDrag(box, id) : undefined
  }, [id])
  return <span ref={place} hidden />
}

type DropSide = 'before' | 'behind' | 'under'

export interface DropTarget {
  id: string
  overId: string
  side: DropSide
  element: Element
}

type DropArgs = ElementDropTargetEventPayloadMap['onDrag']
type Input = ElementEventPayloadMap['onDrag']['location']['current']['input']

// The part at each end of a box that means "before" or "behind" instead of "under".
const edgePart = 0.25

/** @returns the cleanup */
function startNodeDrag(element: HTMLElement, id: string): () => void {
  return combine(
    draggable({ element, getInitialData: () => ({ orgNode: id }) }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => 'orgNode' in source.data && source.data.orgNode !== id,
      getData: ({ input }) => ({ orgNode: id, side: sideAt(element, input) }),
    }),
  )
}

interface DragWatch {
  isPossible: (place: DropTarget) => boolean
  /** Called while dragging; null over an invalid target. */
  onOver: (place: DropTarget | null) => void
  onDrop: (place: DropTarget) => void
}

/** @returns the cleanup */
function watchNodeDrag({ isPossible, onOver, onDrop }: DragWatch): () => void {
  const validDropTarget = (args: Pick<DropArgs, 'location' | 'source'>) => {
    const place = dropTargetOf(args)
    return place && isPossible(place) ? place : null
  }
  return monitorForElements({
    canMonitor: ({ source }) => 'orgNode' in source.data,
    onDrag: (args) => onOver(validDropTarget(args)),
    onDropTargetChange: (args) => onOver(validDropTarget(args)),
    onDrop(args) {
      onOver(null)
      const place = validDropTarget(args)
      if (place) onDrop(place)
    },
  })
}

function dropTargetOf({ location, source }: Pick<DropArgs, 'location' | 'source'>): DropTarget | null {
  const over = location.current.dropTargets[0]
  const id = source.data.orgNode
  const overId = over?.data.orgNode
  const side = over?.data.side
  if (!over || typeof id !== 'string' || typeof overId !== 'string') return null
  if (side !== 'before' && side !== 'behind' && side !== 'under') return null
  return { id, overId, side, element: over.element }
}

function isSideBySide(element: Element): boolean {
  return element.closest('[data-view]')?.getAttribute('data-view') === 'chart'
}

function sideAt(element: Element, { clientX, clientY }: Input): DropSide {
  const { left, top, width, height } = element.getBoundingClientRect()
  const part = isSideBySide(element) ? (clientX - left) / width : (clientY - top) / height
  if (part < edgePart) return 'before'
  return part > 1 - edgePart ? 'behind' : 'under'
}
