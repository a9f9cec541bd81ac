import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { orgLevelOf } from '#shared/org-tree.ts'
import { type ItemActions, spokenName } from './tree-context.ts'
import { LevelMark } from './tree-level.tsx'
import type { TreeNode } from './tree-node.ts'
import { TreePhoto } from './tree-photo.tsx'

interface TreeItemProps {
  node: TreeNode
  depth: number
  /** Among its siblings, from 1. */
  position: number
  siblings: number
  reports: number
  isExpanded: boolean
  isHighlighted: boolean
  isActive: boolean
  isStatic: boolean
  /** The id of the list of its children, while they are in sight. */
  groupId: string | undefined
  renderActions: ((node: TreeNode, actions: ItemActions) => ReactNode) | undefined
}

/** A node's box. In an outline it is a row. What a press does, the tree around it decides by the data attributes. */
export const TreeItem = memo(function TreeItem(props: TreeItemProps) {
  const { node, depth, reports, isExpanded, isHighlighted, isActive, renderActions } = props
  return (
    <div
      {...(props.isStatic ? {} : ariaOf(props))}
      data-node={node.id}
      data-press={`node ${node.id}`}
      className={clsx(
        'flex min-h-14 w-full cursor-pointer items-center gap-2.5 rounded-box border p-2 text-left',
        'chart:w-44 chart:flex-col chart:gap-1.5 chart:p-3 chart:text-center',
        'in-[.org-framed]:chart:flex-row in-[.org-framed]:chart:text-left',
        'in-[.org-framed]:chart:gap-2.5 in-[.org-framed]:chart:p-2',
        renderActions ? 'in-[.org-framed]:chart:w-72' : 'in-[.org-framed]:chart:w-56',
        isHighlighted
          ? 'border-primary bg-primary-soft ring-2 ring-primary'
          : node.isContext
            ? 'border-dashed border-line text-muted hover:border-edge chart:border-edge'
            : 'border-line bg-card hover:border-edge chart:border-edge',
      )}
    >
      {reports > 0 && <ItemToggle node={node} reports={reports} isExpanded={isExpanded} />}
      <TreePhoto node={node} />
      <span className="flex min-w-0 flex-1 flex-col items-start gap-0.5 chart:w-full chart:items-center in-[.org-framed]:chart:items-start">
        <span dir="auto" className="w-full text-sm leading-snug font-semibold wrap-anywhere">
          {node.name}
        </span>
        {node.title !== '' && (
          <span dir="auto" className="w-full text-xs leading-snug wrap-anywhere text-muted">
            {node.title}
          </span>
        )}
        <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted chart:justify-center in-[.org-framed]:chart:justify-start">
          <LevelMark depth={depth} />
          {node.department !== '' && <span>{node.department}</span>}
        </span>
      </span>
      {renderActions && (
        <span data-actions="" className="flex shrink-0 flex-wrap items-center gap-1 chart:justify-center">
          {renderActions(node, { tabIndex: isActive ? 0 : -1 })}
        </span>
      )}
    </div>
  )
})

function ariaOf({
  node,
  depth,
  position,
  siblings,
  reports,
  isExpanded,
  isHighlighted,
  isActive,
  groupId,
}: TreeItemProps) {
  return {
    role: 'treeitem',
    'aria-label': spokenName(node, orgLevelOf(depth)),
    'aria-level': depth + 1,
    'aria-posinset': position,
    'aria-setsize': siblings,
    'aria-selected': isHighlighted,
    'aria-owns': groupId,
    ...(reports > 0 ? { 'aria-expanded': isExpanded } : {}),
    tabIndex: isActive ? 0 : -1,
  }
}

interface ItemToggleProps {
  node: TreeNode
  reports: number
  isExpanded: boolean
}

/** Opens and closes a node by touch and mouse; the keyboard has the tree's own keys. */
function ItemToggle({ node, reports, isExpanded }: ItemToggleProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      data-toggle={node.id}
      data-press={`toggle ${node.id}`}
      aria-label={`${isExpanded ? 'Collapse' : 'Expand'} ${node.name}`}
      className={clsx(
        'grid size-11 shrink-0 place-items-center rounded-box hover:bg-soft noscript:hidden print:hidden',
        // On the box's lower edge, over the line that goes down from there.
        'chart:relative chart:z-1 chart:order-last chart:-mb-7 chart:h-8 chart:w-16',
        'chart:after:absolute chart:after:-inset-1.5 chart:hover:bg-transparent',
      )}
    >
      <span className="inline-flex items-center gap-1 text-xs font-semibold tabular-nums chart:rounded-full chart:border chart:border-edge chart:bg-card chart:px-2 chart:py-0.5">
        <ChevronDown
          aria-hidden="true"
          className={clsx(
            'size-4 transition-transform chart:size-3.5',
            isExpanded ? 'chart:rotate-180' : '-rotate-90 chart:rotate-0',
          )}
        />
        <span aria-hidden="true">{reports}</span>
      </span>
    </button>
  )
}
