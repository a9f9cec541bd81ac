import type { OrgTarget } from '#shared/org-moves.ts'
import { childrenByParent, descendantsOf, type OrgPlace } from '#shared/org-tree.ts'
import type { DropPlace } from './arrange-drag.ts'

/** Where a dropped node goes; undefined where it can't: on itself, and on what is under it. */
export function targetOfDrop(
  nodes: readonly OrgPlace[],
  { id, overId, side }: Pick<DropPlace, 'id' | 'overId' | 'side'>,
): OrgTarget | undefined {
  const over = nodes.find((node) => node.id === overId)
  if (!over || overId === id || descendantsOf(nodes, id).has(overId)) return undefined
  const parentId = side === 'under' ? overId : over.parentId
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter((node) => node.id !== id)
  if (side === 'under') return { parentId, index: siblings.length }
  return { parentId, index: siblings.indexOf(over) + (side === 'before' ? 0 : 1) }
}
