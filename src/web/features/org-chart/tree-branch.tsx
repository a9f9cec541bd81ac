import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import { flattenBranches, type OrgBranch, orgLevelOf } from '#shared/org-tree.ts'
import { spokenName, useTree } from './tree-context.ts'
import { TreeItem } from './tree-item.tsx'
import { columnsOf, isFramed, reportsOf, type TreeNode } from './tree-node.ts'

interface TreeBranchProps {
  branch: OrgBranch<TreeNode>
  /** Among its siblings, from 1. */
  position: number
  siblings: number
}

/** A node with what is under it. What is closed isn't there at all. */
export function TreeBranch({ branch, position, siblings }: TreeBranchProps) {
  const { prefix, expanded, highlighted, activeId, isStatic, renderActions } = useTree()
  const { node, depth, children } = branch
  const isExpanded = expanded.has(node.id)
  const groupId = isExpanded && children.length > 0 ? `${prefix}${node.id}` : undefined
  return (
    <li role={isStatic ? undefined : 'none'} className="org-branch">
      <TreeItem
        node={node}
        depth={depth}
        position={position}
        siblings={siblings}
        reports={reportsOf(branch)}
        isExpanded={isExpanded}
        isHighlighted={highlighted === node.id}
        isActive={activeId === node.id}
        isStatic={isStatic}
        groupId={groupId}
        renderActions={renderActions}
      />
      {groupId !== undefined && <BranchChildren branch={branch} groupId={groupId} />}
      {isStatic && !isExpanded && children.length > 0 && <PlainChildren branch={branch} />}
    </li>
  )
}

function BranchChildren({ branch, groupId }: { branch: OrgBranch<TreeNode>; groupId: string }) {
  const { isStatic } = useTree()
  const { children } = branch
  const columns: CSSProperties & { '--org-columns': number } = { '--org-columns': columnsOf(children.length) }
  return (
    <ul
      {...(isStatic ? {} : { role: 'group', id: groupId })}
      className={clsx('org-group', isFramed(branch) && 'org-framed')}
      style={columns}
    >
      {children.map((child, index) => (
        <TreeBranch key={child.node.id} branch={child} position={index + 1} siblings={children.length} />
      ))}
    </ul>
  )
}

/** What is closed, as text for a browser without scripts: nothing could open it there. */
function PlainChildren({ branch }: { branch: OrgBranch<TreeNode> }) {
  return (
    <noscript>
      <ul className="org-group">
        {flattenBranches(branch.children).map(({ node, depth }) => (
          <li key={node.id} className="py-1 text-sm">
            {spokenName(node, orgLevelOf(depth))}
          </li>
        ))}
      </ul>
    </noscript>
  )
}
