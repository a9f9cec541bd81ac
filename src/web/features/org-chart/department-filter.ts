import type { OrgNode } from '#shared/org-chart.ts'
import type { DepartmentFilter } from './manager-address.ts'
import type { TreeNode } from './tree-node.ts'

/**
 * The positions of a department, with those above them to show where they stand.
 *
 * @param department null for all
 */
export function nodesOfDepartment(
  nodes: readonly OrgNode[],
  department: DepartmentFilter,
): readonly TreeNode[] {
  if (department === null) return nodes
  const parentOf = new Map(nodes.map(({ id, parentId }) => [id, parentId]))
  const matching = nodes.filter((node) => node.department === department)
  const shown = new Set<string>()
  for (const { id } of matching) {
    for (let at: string | null = id; at !== null && !shown.has(at); at = parentOf.get(at) ?? null)
      shown.add(at)
  }
  const isMatching = new Set(matching)
  return nodes
    .filter(({ id }) => shown.has(id))
    .map((node) => (isMatching.has(node) ? node : { ...node, isContext: true }))
}
