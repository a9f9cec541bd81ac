import { flattenBranches, nestNodes } from '#shared/org-tree.ts'
import type { TreeNode } from './tree-node.ts'

/** Before a choice in a list, for each level that it is under the top. */
const indent = '\u2003'

/** Positions as choices of a list, in tree order. */
export function nodeOptions(nodes: readonly TreeNode[]): { value: string; label: string }[] {
  return flattenBranches(nestNodes(nodes)).map(({ node, depth }) => ({
    value: node.id,
    label: `${indent.repeat(Math.min(depth, 8))}${nameWithTitle(node)}`,
  }))
}

/** Two people may have one name. */
export function nameWithTitle({ name, title }: Pick<TreeNode, 'name' | 'title'>): string {
  return title === '' ? name : `${name} (${title})`
}
