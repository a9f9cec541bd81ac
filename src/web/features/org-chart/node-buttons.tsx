import { Ellipsis, Pencil } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { IconButton } from '#web/components/button.tsx'
import { startNodeDrag } from './arrange-drag.ts'
import type { ItemActions } from './tree-context.ts'
import type { TreeNode } from './tree-node.ts'

/** Buttons in a node's box. What they do, the chart around them decides by the data attributes. */
export function renderNodeButtons(node: TreeNode, actions: ItemActions) {
  return <NodeButtons node={node} tabIndex={actions.tabIndex} />
}

/** The same, in a box that can be dragged. */
export function renderDraggableButtons(node: TreeNode, actions: ItemActions) {
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

/** Makes the box around it something to drag. */
function NodeDrag({ id }: { id: string }) {
  const place = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const box = place.current?.closest('[data-node]')
    return box instanceof HTMLElement ? startNodeDrag(box, id) : undefined
  }, [id])
  return <span ref={place} hidden />
}
