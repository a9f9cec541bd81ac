import { childrenByParent, inTreeOrder, type OrgPosition, possibleParents } from './org-tree.ts'

export interface OrgTarget {
  parentId: string | null
  index: number
}

export function targetOf(nodes: readonly OrgPosition[], id: string): OrgTarget | undefined {
  const node = nodes.find((one) => one.id === id)
  if (node === undefined) return undefined
  const siblings = childrenByParent(nodes).get(node.parentId) ?? []
  return { parentId: node.parentId, index: siblings.findIndex((one) => one.id === id) }
}

/** @returns in tree order; the same list when the move is not possible */
export function moveNode<Node extends OrgPosition>(
  nodes: readonly Node[],
  id: string,
  { parentId, index }: OrgTarget,
): readonly Node[] {
  const node = nodes.find((one) => one.id === id)
  if (node === undefined) return nodes
  if (parentId !== null && !possibleParents(nodes, id).some((one) => one.id === parentId)) return nodes
  const rest = nodes.filter((one) => one.id !== id)
  const moved = { ...node, parentId }
  const next = (childrenByParent(rest).get(parentId) ?? [])[Math.max(0, index)]
  // The position moves before the sibling that is at its place now, or after all siblings.
  const at = next === undefined ? rest.length : rest.indexOf(next)
  return inTreeOrder([...rest.slice(0, at), moved, ...rest.slice(at)])
}

export const orgSteps = ['up', 'down', 'in', 'out'] as const
export type OrgStep = (typeof orgSteps)[number]

export function targetOfStep(
  nodes: readonly OrgPosition[],
  id: string,
  step: OrgStep,
): OrgTarget | undefined {
  const target = targetOf(nodes, id)
  if (target === undefined) return undefined
  const { parentId, index } = target
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

type ArrangementProblem = 'twice' | 'orphan' | 'cycle'

/** @returns 'orphan' when a parent is missing, 'cycle' when a node is its own ancestor; undefined when valid */
export function problemOfArrangement(nodes: readonly OrgPosition[]): ArrangementProblem | undefined {
  const ids = new Set(nodes.map(({ id }) => id))
  if (ids.size !== nodes.length) return 'twice'
  if (nodes.some(({ parentId }) => parentId !== null && !ids.has(parentId))) return 'orphan'
  // Every parent is in the list, so that only a cycle is unreachable from the roots.
  return inTreeOrder(nodes).length === nodes.length ? undefined : 'cycle'
}

export function sameArrangement(left: readonly OrgPosition[], right: readonly OrgPosition[]): boolean {
  if (left.length !== right.length) return false
  const rest = inTreeOrder(right)
  return inTreeOrder(left).every(
    ({ id, parentId }, at) => rest[at]?.id === id && rest[at].parentId === parentId,
  )
}
