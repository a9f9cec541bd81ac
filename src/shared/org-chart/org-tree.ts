import { orgLevels } from './org-chart.ts'

/**
 * A node's place: under which other one. A list of places is an arrangement: the order among siblings is
 * their order in the list.
 */
export interface OrgPlace {
  id: string
  /** Null for a root. */
  parentId: string | null
}

/** A node with all that is under it. */
export interface OrgBranch<Node extends OrgPlace> {
  node: Node
  /** 0 for a root. */
  depth: number
  /** In their order. */
  children: OrgBranch<Node>[]
}

/** The children of every node, in their order; those of null are the roots. */
export function childrenByParent<Node extends OrgPlace>(
  nodes: readonly Node[],
): ReadonlyMap<string | null, readonly Node[]> {
  const children = new Map<string | null, Node[]>()
  for (const node of nodes) {
    const siblings = children.get(node.parentId)
    if (siblings === undefined) children.set(node.parentId, [node])
    else siblings.push(node)
  }
  return children
}

/**
 * The list as trees.
 *
 * @param nodes siblings in their order; parents may stand anywhere
 * @returns the roots; what no root leads to (which a valid arrangement doesn't have) is left out
 */
export function nestNodes<Node extends OrgPlace>(nodes: readonly Node[]): OrgBranch<Node>[] {
  const children = childrenByParent(nodes)
  const branchesOf = (parentId: string | null, depth: number): OrgBranch<Node>[] =>
    (children.get(parentId) ?? []).map((node) => ({
      node,
      depth,
      children: branchesOf(node.id, depth + 1),
    }))
  return branchesOf(null, 0)
}

/** Every branch from top to bottom, as the list view reads: a node, then what is under it, then its sibling. */
export function flattenBranches<Node extends OrgPlace>(
  branches: readonly OrgBranch<Node>[],
): OrgBranch<Node>[] {
  return branches.flatMap((branch) => [branch, ...flattenBranches(branch.children)])
}

/** The list in the order of `flattenBranches`: parents before their children. */
export function inTreeOrder<Node extends OrgPlace>(nodes: readonly Node[]): Node[] {
  return flattenBranches(nestNodes(nodes)).map(({ node }) => node)
}

/** Everything under a node, without itself. */
export function descendantsOf(nodes: readonly OrgPlace[], id: string): ReadonlySet<string> {
  const children = childrenByParent(nodes)
  const found = new Set<string>()
  const open = [id]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of children.get(next) ?? []) {
      if (found.has(child.id)) continue
      found.add(child.id)
      open.push(child.id)
    }
  }
  return found
}

/** The nodes above a node, the nearest first. */
export function ancestorsOf<Node extends OrgPlace>(nodes: readonly Node[], id: string): Node[] {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const found: Node[] = []
  let above = known.get(known.get(id)?.parentId ?? '')
  while (above !== undefined && !found.includes(above)) {
    found.push(above)
    above = known.get(above.parentId ?? '')
  }
  return found
}

/** What a node may be put under: neither itself nor anything under it. */
export function possibleParents<Node extends OrgPlace>(nodes: readonly Node[], id: string): Node[] {
  const descendants = descendantsOf(nodes, id)
  return nodes.filter((node) => node.id !== id && !descendants.has(node.id))
}

/** The order of a new last child: the highest among its siblings and one more, 0 without any (spec §4). */
export function nextSiblingOrder(
  nodes: readonly (OrgPlace & { order: number })[],
  parentId: string | null,
): number {
  return nodes.reduce((next, node) => (node.parentId === parentId ? Math.max(next, node.order + 1) : next), 0)
}

/** The level of the legend that a depth is of; the deepest are all of the last (spec §2). */
export function orgLevelOf(depth: number): (typeof orgLevels)[number] {
  return orgLevels[depth] ?? 'Staff'
}

/** How many nodes stand one under the other in the deepest branch. */
export function depthOf(branches: readonly OrgBranch<OrgPlace>[]): number {
  return branches.reduce((depth, { children }) => Math.max(depth, 1 + depthOf(children)), 0)
}
