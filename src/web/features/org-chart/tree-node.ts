import type { OrgNode } from '#shared/org-chart/org-chart.ts'
import { flattenBranches, nestNodes, type OrgBranch, type OrgPlace } from '#shared/org-chart/org-tree.ts'

/** What a box of the chart shows. */
export interface TreeNode
  extends Pick<OrgNode, 'id' | 'name' | 'title' | 'department' | 'parentId' | 'image'> {
  /** Of a node whose children aren't in the list: how many it has. */
  childCount?: number
  /** Only in sight for what is under it: dashed. */
  isContext?: boolean
}

/** How many nodes report to a node, those included that aren't in the list. */
export function reportsOf({ node, children }: OrgBranch<TreeNode>): number {
  return Math.max(children.length, node.childCount ?? 0)
}

/** From this many on, children who all have none themselves stand together in a frame, not side by side. */
const leastFramed = 4

/** Whether a node's children stand in a frame: a row of many boxes would be wider than any screen. */
export function isFramed({ children }: OrgBranch<TreeNode>): boolean {
  return children.length >= leastFramed && children.every((child) => reportsOf(child) === 0)
}

/** Into how many columns a frame is divided: a little wider than high. */
export function columnsOf(children: number): number {
  return Math.min(4, Math.ceil(Math.sqrt(children / 2)))
}

/** One or two letters in the place of a photo; titles such as 'Dr.' don't count. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  const named = words.filter((word) => !word.endsWith('.') && !word.startsWith('('))
  const [first, ...others] = named.length > 0 ? named : words
  return [first, others.at(-1)]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/**
 * What is open when a chart is first seen: level by level, as long as no more nodes than `limit` are in sight.
 * A small chart is open as a whole, a large one shows its top.
 */
export function firstExpanded(roots: readonly OrgBranch<TreeNode>[], limit: number): ReadonlySet<string> {
  const expanded = new Set<string>()
  let level = [...roots]
  let shown = level.length
  while (level.length > 0) {
    const parents = level.filter(({ children }) => children.length > 0)
    level = parents.flatMap(({ children }) => children)
    shown += level.length
    if (shown > limit) break
    for (const { node } of parents) expanded.add(node.id)
  }
  return expanded
}

/** Every node that has something to open. */
export function allExpanded(roots: readonly OrgBranch<TreeNode>[]): ReadonlySet<string> {
  return new Set(
    flattenBranches(roots)
      .filter((branch) => reportsOf(branch) > 0)
      .map(({ node }) => node.id),
  )
}

/** @param isOpen whether they are open afterwards */
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

/** The branches in sight, from top to bottom. */
export function shownBranches<Node extends OrgPlace>(
  roots: readonly OrgBranch<Node>[],
  expanded: ReadonlySet<string>,
): OrgBranch<Node>[] {
  return roots.flatMap((branch) => [
    branch,
    ...(expanded.has(branch.node.id) ? shownBranches(branch.children, expanded) : []),
  ])
}

/** The top of a chart, as much of it as a page carries with it. */
export interface ChartExcerpt {
  /** Whole levels from the top, in the order of the chart. */
  nodes: TreeNode[]
  /** How many nodes the chart has. */
  total: number
}

/** So many nodes go into a page; a chart that is larger is read when the visitor comes near it. */
const excerptLimit = 60

/** @param limit not for the roots, which are always there */
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

/** Only what a box shows, so that the page stays small. */
function slim({ id, name, title, department, parentId, image }: OrgNode, hidden: number): TreeNode {
  return { id, name, title, department, parentId, image, ...(hidden > 0 ? { childCount: hidden } : {}) }
}
