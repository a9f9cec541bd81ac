import {
  draggable,
  dropTargetForElements,
  type ElementDropTargetEventPayloadMap,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { Ellipsis, Pencil } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { OrgStep, OrgTarget } from '#shared/org-chart/org-moves.ts'
import { nestNodes } from '#shared/org-chart/org-tree.ts'
import { IconButton } from '#web/components/button.tsx'
import { ChartViewport } from './chart-viewport.tsx'
import type { TreeNode } from './tree-node.ts'
import { TreeView, type TreeViewProps } from './tree-view.tsx'

interface ArrangeChartProps
  extends Pick<TreeViewProps, 'expanded' | 'highlighted' | 'onToggle' | 'onHighlight' | 'describedBy'> {
  nodes: readonly TreeNode[]
  view: 'chart' | 'list'
  /** False while the chart is filtered: the neighbours of a moved position would be out of sight. */
  canArrange: boolean
  onStep: (id: string, step: OrgStep) => void
  targetOf: (place: DropTarget) => OrgTarget | undefined
  onDrop: (id: string, target: OrgTarget) => void
  onEdit: (id: string) => void
  onMenu: (id: string, anchor: HTMLElement) => void
}

// Keys that move a position while the Alt key is held.
const stepKeys: Partial<Record<string, OrgStep>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
}

export function ArrangeChart(props: ArrangeChartProps) {
  const { nodes, view, canArrange, onStep, targetOf, onDrop, onEdit, onMenu, ...tree } = props
  const roots = useMemo(() => nestNodes(nodes), [nodes])
  const mark = useRef<HTMLDivElement>(null)

  const showTarget = useEffectEvent((args: DragArgs) => {
    const place = dropTargetOf(args)
    const target = place && targetOf(place)
    if (mark.current) showDropMark(mark.current, target ? place : null)
  })
  const drop = useEffectEvent((args: DragArgs) => {
    if (mark.current) showDropMark(mark.current, null)
    const place = dropTargetOf(args)
    const target = place && targetOf(place)
    if (target) onDrop(place.id, target)
  })
  useEffect(() => {
    if (!canArrange) return
    return monitorForElements({
      canMonitor: ({ source }) => 'orgNode' in source.data,
      onDrag: (args) => showTarget(args),
      onDropTargetChange: (args) => showTarget(args),
      onDrop: (args) => drop(args),
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
      <ChartViewport view={view} highlighted={tree.highlighted}>
        <TreeView
          label="Positions"
          roots={roots}
          renderActions={canArrange ? renderDraggableButtons : renderNodeButtons}
          {...tree}
        />
      </ChartViewport>
      <div
        ref={mark}
        hidden
        aria-hidden="true"
        className="pointer-events-none fixed z-30 rounded-box bg-primary data-[side=under]:border-4 data-[side=under]:border-primary data-[side=under]:bg-transparent"
      />
    </div>
  )
}

// The thickness of the mark, in pixels.
const thickness = 4

/** A line beside a box, or a frame around it. Changes the DOM without React: it follows the mouse. */
function showDropMark(mark: HTMLElement, place: DropTarget | null): void {
  mark.hidden = place === null
  if (place === null) return
  const box = place.element.getBoundingClientRect()
  let { left, top, width, height } = box
  if (place.side !== 'under') {
    const start = isSideBySide(place.element) ? 'left' : 'top'
    const at = place.side === 'before' ? -thickness - 1 : (start === 'left' ? width : height) + 1
    if (start === 'left') [left, width] = [left + at, thickness]
    else [top, height] = [top + at, thickness]
  }
  mark.dataset.side = place.side
  for (const [side, px] of Object.entries({ left, top, width, height })) {
    mark.style.setProperty(side, `${px}px`)
  }
}

// The chart handles the presses by the buttons' data attributes.
function renderNodeButtons({ name }: TreeNode, tabIndex: 0 | -1) {
  return (
    <>
      <IconButton
        label={`Edit ${name}`}
        tabIndex={tabIndex}
        data-node-button="edit"
        className="max-sm:hidden"
        icon={Pencil}
      />
      <IconButton
        label={`Actions for ${name}`}
        tabIndex={tabIndex}
        data-node-button="menu"
        aria-haspopup="menu"
        className="max-md:size-11"
        icon={Ellipsis}
      />
    </>
  )
}

function renderDraggableButtons(node: TreeNode, tabIndex: 0 | -1) {
  return (
    <>
      <NodeDrag id={node.id} />
      {renderNodeButtons(node, tabIndex)}
    </>
  )
}

/** Makes the box around it draggable, and a target. */
function NodeDrag({ id }: { id: string }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const element = place.current?.closest('[data-node]')
    if (!(element instanceof HTMLElement)) return
    return combine(
      draggable({ element, getInitialData: () => ({ orgNode: id }) }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => 'orgNode' in source.data && source.data.orgNode !== id,
        getData: ({ input }) => ({ orgNode: id, side: sideAt(element, input) }),
      }),
    )
  }, [id])
  return <span ref={place} hidden />
}

export interface DropTarget {
  id: string
  overId: string
  side: 'before' | 'behind' | 'under'
  element: Element
}

type DragArgs = Pick<ElementDropTargetEventPayloadMap['onDrag'], 'location' | 'source'>

function dropTargetOf({ location, source }: DragArgs): DropTarget | null {
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

// The part at each end of a box that means "before" or "behind" instead of "under".
const edgePart = 0.25

function sideAt(element: Element, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, top, width, height } = element.getBoundingClientRect()
  const part = isSideBySide(element) ? (clientX - left) / width : (clientY - top) / height
  if (part < edgePart) return 'before'
  return part > 1 - edgePart ? 'behind' : 'under'
}
