import { childrenByParent, descendantsOf, inTreeOrder, type OrgPlace } from './org-tree.ts'

/** Where a node shall go: under which other one, and as which child of it. */
export interface OrgTarget {
  parentId: string | null
  /** Among the children it will have there, from 0; more than there are means the last. */
  index: number
}

/** A node's place among its siblings. */
export function targetOf(nodes: readonly OrgPlace[], id: string): OrgTarget | undefined {
  const node = nodes.find((one) => one.id === id)
  if (node === undefined) return undefined
  const siblings = childrenByParent(nodes).get(node.parentId) ?? []
  return { parentId: node.parentId, index: siblings.findIndex((one) => one.id === id) }
}

/**
 * The arrangement with one node, and all that is under it, elsewhere.
 *
 * @returns in tree order; the same list when the node isn't there or can't go there: not under itself, nor
 *   under anything that is under it
 */
export function moveNode<Node extends OrgPlace>(
  nodes: readonly Node[],
  id: string,
  { parentId, index }: OrgTarget,
): readonly Node[] {
  const node = nodes.find((one) => one.id === id)
  if (node === undefined || parentId === id) return nodes
  if (parentId !== null) {
    if (!nodes.some((one) => one.id === parentId)) return nodes
    if (descendantsOf(nodes, id).has(parentId)) return nodes
  }
  const others = nodes.filter((one) => one.id !== id)
  const moved = { ...node, parentId }
  const next = (childrenByParent(others).get(parentId) ?? [])[Math.max(0, index)]
  // Before the sibling that has its place now, else after all of them.
  const at = next === undefined ? others.length : others.indexOf(next)
  return inTreeOrder([...others.slice(0, at), moved, ...others.slice(at)])
}

/** The single steps of the keyboard. */
export const orgSteps = ['up', 'down', 'in', 'out'] as const
export type OrgStep = (typeof orgSteps)[number]

/**
 * Where a step leads: before the sibling above, behind the one below, to the end of the children of the sibling
 * above ('in'), or behind its own parent ('out').
 *
 * @returns undefined when there is nowhere to go
 */
export function targetOfStep(nodes: readonly OrgPlace[], id: string, step: OrgStep): OrgTarget | undefined {
  const place = targetOf(nodes, id)
  if (place === undefined) return undefined
  const { parentId, index } = place
  const children = childrenByParent(nodes)
  const siblings = children.get(parentId) ?? []
  switch (step) {
    case 'up':
      return index > 0 ? { parentId, index: index - 1 } : undefined
    case 'down':
      return index < siblings.length - 1 ? { parentId, index: index + 1 } : undefined
    case 'in': {
      const above = siblings[index - 1]
      return above && { parentId: above.id, index: children.get(above.id)?.length ?? 0 }
    }
    case 'out': {
      const parent = parentId === null ? undefined : targetOf(nodes, parentId)
      return parent && { parentId: parent.parentId, index: parent.index + 1 }
    }
  }
}
