import type { OrgNode } from '#shared/org-chart.ts'
import type { OrgBranch } from '#shared/org-tree.ts'

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
