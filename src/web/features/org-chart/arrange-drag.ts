import {
  draggable,
  dropTargetForElements,
  type ElementDropTargetEventPayloadMap,
  type ElementEventPayloadMap,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'

/** Where a dragged node would go, seen from the one it is over. */
export type DropSide = 'before' | 'behind' | 'under'

/** A dragged node over another one. */
export interface DropPlace {
  /** The dragged one. */
  id: string
  /** The one it is over. */
  overId: string
  side: DropSide
  element: Element
}

type DropArgs = ElementDropTargetEventPayloadMap['onDrag']
type Input = ElementEventPayloadMap['onDrag']['location']['current']['input']

/** Which part of an element, at its beginning and its end, means its neighbourhood and not itself. */
const edgePart = 0.25

/** Makes a node's box something to drag, and to drop others on. @returns how to end it */
export function startNodeDrag(element: HTMLElement, id: string): () => void {
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
  /** Whether a node may come to a place. */
  isPossible: (place: DropPlace) => boolean
  /** Told while something is dragged; null over nothing that takes it. */
  onOver: (place: DropPlace | null) => void
  onDrop: (place: DropPlace) => void
}

/** Watches the dragging of nodes. @returns how to end it */
export function watchNodeDrag({ isPossible, onOver, onDrop }: DragWatch): () => void {
  const possiblePlace = (args: Pick<DropArgs, 'location' | 'source'>) => {
    const place = placeOf(args)
    return place && isPossible(place) ? place : null
  }
  return monitorForElements({
    canMonitor: ({ source }) => 'orgNode' in source.data,
    onDrag: (args) => onOver(possiblePlace(args)),
    onDropTargetChange: (args) => onOver(possiblePlace(args)),
    onDrop(args) {
      onOver(null)
      const place = possiblePlace(args)
      if (place) onDrop(place)
    },
  })
}

function placeOf({ location, source }: Pick<DropArgs, 'location' | 'source'>): DropPlace | null {
  const over = location.current.dropTargets[0]
  const id = source.data.orgNode
  const overId = over?.data.orgNode
  const side = over?.data.side
  if (!over || typeof id !== 'string' || typeof overId !== 'string') return null
  if (side !== 'before' && side !== 'behind' && side !== 'under') return null
  return { id, overId, side, element: over.element }
}

/** Siblings lie side by side in a chart, and one under the other in a list. */
export function isSideBySide(element: Element): boolean {
  return element.closest('[data-view]')?.getAttribute('data-view') === 'chart'
}

function sideAt(element: Element, { clientX, clientY }: Input): DropSide {
  const { left, top, width, height } = element.getBoundingClientRect()
  const part = isSideBySide(element) ? (clientX - left) / width : (clientY - top) / height
  if (part < edgePart) return 'before'
  return part > 1 - edgePart ? 'behind' : 'under'
}
