import { flattenBranches, type OrgBranch, type OrgPlace } from '#shared/org-tree.ts'
import { reportsOf, type TreeNode } from './tree-node.ts'

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
