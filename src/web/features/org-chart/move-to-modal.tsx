import { useState } from 'react'
import type { OrgNode } from '#shared/org-chart.ts'
import { type OrgTarget, targetOf } from '#shared/org-moves.ts'
import { childrenByParent, possibleParents } from '#shared/org-tree.ts'
import { Button } from '#web/components/button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { SelectField } from '#web/components/select-field.tsx'
import { nameWithTitle, nodeOptions } from './node-options.ts'

interface MoveToModalProps {
  nodes: readonly OrgNode[]
  node: OrgNode
  onMove: (target: OrgTarget) => void
  onClose: () => void
}

/** Chooses a position's place in two lists: under whom, and behind whom. */
export function MoveToModal({ nodes, node, onMove, onClose }: MoveToModalProps) {
  const [parentId, setParentId] = useState(node.parentId)
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter(({ id }) => id !== node.id)
  const isSameParent = parentId === node.parentId
  const [index, setIndex] = useState<number | null>(null)
  // Where it is; elsewhere the last place.
  const chosen = index ?? (isSameParent ? (targetOf(nodes, node.id)?.index ?? 0) : siblings.length)

  return (
    <Modal
      open
      onClose={onClose}
      title={`Move ${node.name}`}
      size="sm"
      footer={
        <>
          <Button variant="outline" size="sm" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" onClick={() => onMove({ parentId, index: chosen })}>
            Move
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SelectField
          name="move-parent"
          label="Under"
          placeholder="Nobody: the top of the chart"
          options={nodeOptions(possibleParents(nodes, node.id))}
          value={parentId ?? ''}
          onChange={({ target }) => {
            setParentId(target.value || null)
            setIndex(null)
          }}
        />
        <SelectField
          name="move-behind"
          label="Place"
          options={[
            { value: '0', label: 'The first' },
            ...siblings.map((sibling, at) => ({
              value: String(at + 1),
              label: `After ${nameWithTitle(sibling)}`,
            })),
          ]}
          value={String(chosen)}
          onChange={({ target }) => setIndex(Number(target.value))}
        />
      </div>
    </Modal>
  )
}
