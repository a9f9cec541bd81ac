import type { OrgNode } from '#shared/org-chart.ts'
import { flattenBranches, nestNodes } from '#shared/org-tree.ts'
import type { TreeNode } from './tree-node.ts'

/** The top of a chart, as much of it as a page carries with it. */
export interface ChartExcerpt {
  /** Whole levels from the top, in the order of the chart. */
  nodes: TreeNode[]
  /** How many nodes the chart has. */
  total: number
}

/** So many nodes go into a page; a chart that is larger is read when the visitor comes near it. */
export const excerptLimit = 60

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
