import { moveNode, type OrgTarget } from '#shared/org-moves.ts'
import { childrenByParent, inTreeOrder, type OrgPlace } from '#shared/org-tree.ts'

/**
 * A move that isn't saved yet. It names its neighbour and no number, so that it can be made again on a chart that
 * somebody else has changed.
 */
export interface OrgMove {
  id: string
  parentId: string | null
  /** The sibling that it stands behind; null for the first place. */
  behind: string | null
}

/** The moves with one more. Of several in a row of one node the last counts. */
export function withMove(
  moves: readonly OrgMove[],
  nodes: readonly OrgPlace[],
  id: string,
  { parentId, index }: OrgTarget,
): readonly OrgMove[] {
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter((node) => node.id !== id)
  const behind = index <= 0 ? null : (siblings[Math.min(index, siblings.length) - 1]?.id ?? null)
  const before = moves.at(-1)?.id === id ? moves.slice(0, -1) : moves
  return [...before, { id, parentId, behind }]
}

/**
 * Makes moves on a chart.
 *
 * @param nodes siblings in their order
 * @returns the nodes in tree order, and the moves that are no longer possible: of a node that is gone, to a parent
 *   that is gone, or to one that is under the node by now
 */
export function makeMoves<Node extends OrgPlace>(
  nodes: readonly Node[],
  moves: readonly OrgMove[],
): { nodes: readonly Node[]; lost: readonly OrgMove[] } {
  const lost: OrgMove[] = []
  let made: readonly Node[] = inTreeOrder(nodes)
  for (const move of moves) {
    const next = moveNode(made, move.id, targetAmong(made, move))
    if (next === made) lost.push(move)
    made = next
  }
  return { nodes: made, lost }
}

/** Behind the neighbour, or as the last one when it is elsewhere by now. */
function targetAmong(nodes: readonly OrgPlace[], { id, parentId, behind }: OrgMove): OrgTarget {
  if (behind === null) return { parentId, index: 0 }
  const siblings = (childrenByParent(nodes).get(parentId) ?? []).filter((node) => node.id !== id)
  const at = siblings.findIndex((node) => node.id === behind)
  return { parentId, index: at === -1 ? siblings.length : at + 1 }
}
