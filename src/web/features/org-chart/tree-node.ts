import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { flattenBranches, nestNodes, type OrgBranch, type OrgPosition } from '#shared/org-chart/org-tree.ts'

export interface TreeNode
  extends Pick<OrgNode, 'id' | 'name' | 'title' | 'department' | 'parentId' | 'image'> {
  childCount?: number
  isContext?: boolean
}

/** Includes children that aren't in the list. */
export function reportsOf({ node, children }: OrgBranch<TreeNode>): number {
  return Math.max(children.length, node.childCount ?? 0)
}

// From this many on, children without children are framed together instead of side by side.
const leastFramed = 4

/** A row of many boxes would be wider than any screen. */
export function isFramed({ children }: OrgBranch<TreeNode>): boolean {
  return children.length >= leastFramed && children.every((child) => reportsOf(child) === 0)
}

export function columnsOf(children: number): number {
  return Math.min(4, Math.ceil(Math.sqrt(children / 2)))
}

/** Opens level by level while at most `limit` nodes are in sight: a small chart fully, a large one its top. */
export function firstExpanded(roots: readonly OrgBranch<TreeNode>[], limit: number): ReadonlySet<string> {
  const expanded = new Set<string>()
  let level = [...roots]
  let count = level.length
  while (level.length > 0) {
    const parents = level.filter(({ children }) => children.length > 0)
    level = parents.flatMap(({ children }) => children)
    count += level.length
    if (count > limit) break
    for (const { node } of parents) expanded.add(node.id)
  }
  return expanded
}

export function allExpanded(roots: readonly OrgBranch<TreeNode>[]): ReadonlySet<string> {
  return new Set(
    flattenBranches(roots)
      .filter((branch) => reportsOf(branch) > 0)
      .map(({ node }) => node.id),
  )
}

export function withToggled(
  expanded: ReadonlySet<string>,
  ids: readonly string[],
  isOpen: boolean,
): ReadonlySet<string> {
  const next = new Set(expanded)
  for (const id of ids) {
    if (isOpen) next.add(id)
    else next.delete(id)
  }
  return next
}

export function shownBranches<Node extends OrgPosition>(
  roots: readonly OrgBranch<Node>[],
  expanded: ReadonlySet<string>,
): OrgBranch<Node>[] {
  return roots.flatMap((branch) => [
    branch,
    ...(expanded.has(branch.node.id) ? shownBranches(branch.children, expanded) : []),
  ])
}

export interface ChartExcerpt {
  nodes: TreeNode[]
  total: number
}

/** The most nodes that go into a page; a chart that is larger is read when the visitor comes near it. */
const excerptLimit = 60

/** @param limit does not apply to the roots */
export function excerptOf(chart: readonly OrgNode[], limit = excerptLimit): ChartExcerpt {
  const branches = flattenBranches(nestNodes(chart))
  let depth = 1
  while (branches.filter((branch) => branch.depth <= depth).length <= limit && depth < branches.length)
    depth += 1
  const nodes = branches
    .filter((branch) => branch.depth < depth)
    .map(({ node, depth: own, children }) => slim(node, own === depth - 1 ? children.length : 0))
  return { nodes, total: chart.length }
}

// Only what a box shows, to keep the page small.
function slim({ id, name, title, department, parentId, image }: OrgNode, hidden: number): TreeNode {
  return { id, name, title, department, parentId, image, ...(hidden > 0 ? { childCount: hidden } : {}) }
}
