import { useMemo } from 'react'
import { nestNodes } from '#shared/org-tree.ts'
import { ChartViewport, type TreeLook } from './chart-viewport.tsx'
import type { TreeNode } from './tree-node.ts'
import { TreeView, type TreeViewProps } from './tree-view.tsx'

interface ChartViewProps extends Omit<TreeViewProps, 'roots' | 'ref'> {
  /** Siblings in their order. */
  nodes: readonly TreeNode[]
  /** As boxes with lines, which can be moved and zoomed, or as an outline. */
  view: TreeLook
}

/** The organizational chart, as boxes with lines or as a list. */
export function ChartView({ nodes, view, ...tree }: ChartViewProps) {
  const roots = useMemo(() => nestNodes(nodes), [nodes])
  return (
    <ChartViewport view={view}>
      <TreeView roots={roots} {...tree} />
    </ChartViewport>
  )
}
