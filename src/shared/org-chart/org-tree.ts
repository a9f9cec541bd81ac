import { orgLevels } from './org-chart.ts'

export interface OrgPosition {
  id: string
  parentId: string | null
}

export interface OrgBranch<Node extends OrgPosition> {
  node: Node
  depth: number
  children: OrgBranch<Node>[]
}

export function childrenByParent<Node extends OrgPosition>(
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

export function nestNodes<Node extends OrgPosition>(nodes: readonly Node[]): OrgBranch<Node>[] {
  const children = childrenByParent(nodes)
  const branchesOf = (parentId: string | null, depth: number): OrgBranch<Node>[] =>
    (children.get(parentId) ?? []).map((node) => ({ node, depth, children: branchesOf(node.id, depth + 1) }))
  return branchesOf(null, 0)
}

export function flattenBranches<Node extends OrgPosition>(
  branches: readonly OrgBranch<Node>[],
): OrgBranch<Node>[] {
  return branches.flatMap((branch) => [branch, ...flattenBranches(branch.children)])
}

export function inTreeOrder<Node extends OrgPosition>(nodes: readonly Node[]): Node[] {
  return flattenBranches(nestNodes(nodes)).map(({ node }) => node)
}

export function descendantsOf(nodes: readonly OrgPosition[], id: string): ReadonlySet<string> {
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

export function ancestorsOf<Node extends OrgPosition>(nodes: readonly Node[], id: string): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found: Node[] = []
  let above = byId.get(byId.get(id)?.parentId ?? '')
  while (above !== undefined && !found.includes(above)) {
    found.push(above)
    above = byId.get(above.parentId ?? '')
  }
  return found
}

export function possibleParents<Node extends OrgPosition>(nodes: readonly Node[], id: string): Node[] {
  const descendants = descendantsOf(nodes, id)
  return nodes.filter((node) => node.id !== id && !descendants.has(node.id))
}

/** Highest sibling plus one, 0 without any. */
export function nextSiblingOrder(
  nodes: readonly (OrgPosition & { order: number })[],
  parentId: string | null,
): number {
  return nodes.reduce((next, node) => (node.parentId === parentId ? Math.max(next, node.order + 1) : next), 0)
}

export function orgLevelOf(depth: number): (typeof orgLevels)[number] {
  return orgLevels[depth] ?? 'Staff'
}

export function depthOf(branches: readonly OrgBranch<OrgPosition>[]): number {
  return branches.reduce((depth, { children }) => Math.max(depth, 1 + depthOf(children)), 0)
}
