import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { orgLevels } from '#shared/org-chart/org-chart.ts'
import { ancestorsOf, flattenBranches, type OrgBranch, orgLevelOf } from '#shared/org-chart/org-tree.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import { Face } from './face.tsx'
import { columnsOf, isFramed, reportsOf, shownBranches, type TreeNode } from './tree-node.ts'

// The classes by level from the top. Figure and name are shown too: colour is never the only sign.
const levelClasses = [
  'border-gold bg-gold text-on-gold',
  'border-primary bg-primary text-on-primary',
  'border-primary bg-primary-soft text-fg',
  'border-edge bg-card text-fg',
  'border-line bg-soft text-muted',
]

function LevelMark({ depth }: { depth: number }) {
  const t = useTranslation()
  const number = Math.min(depth, orgLevels.length - 1)
  return (
    <span className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span
        aria-hidden="true"
        className={clsx(
          'print-colours grid size-4.5 shrink-0 place-items-center rounded-full border text-[0.6875rem] leading-none font-bold',
          levelClasses[number],
        )}
      >
        {number + 1}
      </span>
      {t(orgLevelOf(depth))}
    </span>
  )
}

export function LevelLegend() {
  const t = useTranslation()
  return (
    <ul aria-label={t('Levels')} className="flex flex-wrap gap-x-4 gap-y-1.5">
      {orgLevels.map((level, depth) => (
        <li key={level}>
          <LevelMark depth={depth} />
        </li>
      ))}
    </ul>
  )
}

function spokenName({ name, title, department }: TreeNode, level: string): string {
  return [name, title, level, department].filter(Boolean).join(', ')
}

// Letters typed within this time form one search, in ms.
const typingMs = 700

export interface TreeViewProps {
  label: string
  roots: readonly OrgBranch<TreeNode>[]
  expanded: ReadonlySet<string>
  highlighted: string | null
  onToggle: (ids: readonly string[], isOpen: boolean) => void
  onHighlight: (id: string | null) => void
  /** Pass a stable function: otherwise all boxes render again. Only the focused item's buttons are tab stops. */
  renderActions?: ((node: TreeNode, tabIndex: 0 | -1) => ReactNode) | undefined
  /** The server's HTML has a plain list, until scripts make it a tree. */
  isStatic?: boolean
  describedBy?: string | undefined
}

/**
 * WAI-ARIA "Tree View" pattern: one tab stop, arrow keys inside. `data-view` of an ancestor selects
 * outline or boxes (tree.css).
 */
export function TreeView(props: TreeViewProps) {
  const { label, roots, expanded, highlighted, onToggle, onHighlight, isStatic = false, describedBy } = props
  const prefix = useId()
  const [focused, setFocused] = useState<string | null>(null)
  const typing = useTyping()
  const activeId = activeOf(roots, expanded, focused)

  function onKeyDown(event: KeyboardEvent<HTMLUListElement>) {
    const id = itemOf(event.target)
    // The keys of a button inside an item are its own, and those with shift move the whole chart.
    if (id === undefined || isInButton(event.target) || isCombined(event)) return
    const state = { roots, expanded, activeId: id }
    const act = isLetter(event.key) ? actOfTyping(typing(event.key), state) : actOfKey(event.key, state)
    if (act === undefined) return
    event.preventDefault()
    if (act.kind === 'focus') boxOf(act.id, event.currentTarget)?.focus()
    else if (act.kind === 'toggle') onToggle(act.ids, act.isOpen)
    else onHighlight(act.id === highlighted ? null : act.id)
  }

  function onClick(event: MouseEvent<HTMLUListElement>) {
    if (!(event.target instanceof Element) || event.target.closest('[data-actions]')) return
    const toggle = event.target.closest<HTMLElement>('[data-toggle]')?.dataset.toggle
    const id = itemOf(event.target)
    if (toggle !== undefined) {
      // The keys go on from there, and the chart keeps that box in its place.
      boxOf(toggle, event.currentTarget)?.focus()
      onToggle([toggle], !expanded.has(toggle))
    } else if (id !== undefined) onHighlight(id === highlighted ? null : id)
  }

  const handlers = {
    onKeyDown,
    onClick,
    onFocus: (event: { target: EventTarget }) => setFocused(itemOf(event.target) ?? null),
  }
  return (
    <ul
      aria-label={label}
      aria-describedby={describedBy}
      {...(isStatic ? {} : { role: 'tree', ...handlers })}
      className="org-tree"
    >
      <Branches tree={{ ...props, isStatic, prefix, activeId }} branches={roots} />
    </ul>
  )
}

/** The last focused item, or its nearest visible ancestor. */
function activeOf(
  roots: readonly OrgBranch<TreeNode>[],
  expanded: ReadonlySet<string>,
  focused: string | null,
): string | undefined {
  const nodes = flattenBranches(roots).map(({ node }) => node)
  const visibleIds = new Set(shownBranches(roots, expanded).map(({ node }) => node.id))
  const path = focused === null ? [] : [focused, ...ancestorsOf(nodes, focused).map(({ id }) => id)]
  return path.find((id) => visibleIds.has(id)) ?? roots[0]?.node.id
}

function itemOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined
}

function isInButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, select') !== null
}

export function boxOf(id: string, place: ParentNode = document): HTMLElement | null {
  return place.querySelector(`[data-node="${CSS.escape(id)}"]`)
}

function isCombined({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || (shiftKey && key.startsWith('Arrow'))
}

function isLetter(key: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(key)
}

function useTyping(): (letter: string) => string {
  const typed = useRef({ letters: '', at: 0 })
  return (letter) => {
    const { letters, at } = typed.current
    const now = Date.now()
    typed.current = { letters: now - at < typingMs ? letters + letter : letter, at: now }
    return typed.current.letters
  }
}

type Tree = TreeViewProps & { isStatic: boolean; prefix: string; activeId: string | undefined }

function Branches({ tree, branches }: { tree: Tree; branches: readonly OrgBranch<TreeNode>[] }) {
  return branches.map((branch, index) => (
    <TreeBranch
      key={branch.node.id}
      tree={tree}
      branch={branch}
      position={index + 1}
      siblings={branches.length}
    />
  ))
}

interface PlacedBranch {
  branch: OrgBranch<TreeNode>
  position: number
  siblings: number
}

function TreeBranch({ tree, ...place }: PlacedBranch & { tree: Tree }) {
  const { prefix, expanded, highlighted, activeId, isStatic, renderActions } = tree
  const t = useTranslation()
  const { branch } = place
  const { node, children } = branch
  const isExpanded = expanded.has(node.id)
  const groupId = isExpanded && children.length > 0 ? `${prefix}${node.id}` : undefined
  const columns: CSSProperties & { '--org-columns': number } = { '--org-columns': columnsOf(children.length) }
  return (
    <li role={isStatic ? undefined : 'none'} className="org-branch">
      <TreeItem
        {...place}
        isExpanded={isExpanded}
        isHighlighted={highlighted === node.id}
        isActive={activeId === node.id}
        isStatic={isStatic}
        groupId={groupId}
        renderActions={renderActions}
      />
      {groupId !== undefined && (
        <ul
          {...(isStatic ? {} : { role: 'group', id: groupId })}
          className={clsx('org-group', isFramed(branch) && 'org-framed')}
          style={columns}
        >
          <Branches tree={tree} branches={children} />
        </ul>
      )}
      {isStatic && !isExpanded && children.length > 0 && (
        // Closed nodes as text: without scripts they could not be opened.
        <noscript>
          <ul className="org-group">
            {flattenBranches(children).map(({ node: below, depth: level }) => (
              <li key={below.id} className="py-1 text-sm">
                {spokenName(below, t(orgLevelOf(level)))}
              </li>
            ))}
          </ul>
        </noscript>
      )}
    </li>
  )
}

/** WAI-ARIA "Tree View" pattern. */
type TreeAct =
  | { kind: 'focus'; id: string }
  | { kind: 'toggle'; ids: readonly string[]; isOpen: boolean }
  | { kind: 'highlight'; id: string }

interface FocusState {
  roots: readonly OrgBranch<TreeNode>[]
  expanded: ReadonlySet<string>
  activeId: string
}

/** @returns undefined for a key without a meaning */
export function actOfKey(key: string, { roots, expanded, activeId }: FocusState): TreeAct | undefined {
  const branches = shownBranches(roots, expanded)
  const index = branches.findIndex(({ node }) => node.id === activeId)
  const active = branches[index]
  if (active === undefined) return undefined
  const isOpen = expanded.has(activeId)

  switch (key) {
    case 'ArrowDown':
      return treeKeysFocusOn(branches[index + 1])
    case 'ArrowUp':
      return treeKeysFocusOn(branches[index - 1])
    case 'Home':
      return treeKeysFocusOn(branches[0])
    case 'End':
      return treeKeysFocusOn(branches.at(-1))
    case 'ArrowRight':
      if (reportsOf(active) === 0) return undefined
      return isOpen ? treeKeysFocusOn(active.children[0]) : { kind: 'toggle', ids: [activeId], isOpen: true }
    case 'ArrowLeft':
      if (isOpen && reportsOf(active) > 0) return { kind: 'toggle', ids: [activeId], isOpen: false }
      return treeKeysFocusOn(branches.find(({ node }) => node.id === active.node.parentId))
    case '*':
      return { kind: 'toggle', ids: siblingsToOpen(branches, active), isOpen: true }
    case 'Enter':
    case ' ':
      return { kind: 'highlight', id: activeId }
    default:
      return undefined
  }
}

function treeKeysFocusOn(branch: OrgBranch<TreeNode> | undefined): TreeAct | undefined {
  return branch && { kind: 'focus', id: branch.node.id }
}

function siblingsToOpen(branches: readonly OrgBranch<TreeNode>[], active: OrgBranch<TreeNode>): string[] {
  return branches
    .filter((branch) => branch.node.parentId === active.node.parentId && reportsOf(branch) > 0)
    .map(({ node }) => node.id)
}

/**
 * Focuses the next visible node whose name begins with the letters. A single or repeated letter
 * starts after the focused node; several letters may stay on it.
 */
export function actOfTyping(typed: string, state: FocusState): TreeAct | undefined {
  const branches = shownBranches(state.roots, state.expanded)
  const letters = [...typed.toLowerCase()]
  const isOneLetter = letters.every((letter) => letter === letters[0])
  const wanted = isOneLetter ? (letters[0] ?? '') : letters.join('')
  const from = branches.findIndex(({ node }) => node.id === state.activeId) + (isOneLetter ? 1 : 0)
  const inOrder = [...branches.slice(from), ...branches.slice(0, from)]
  return treeKeysFocusOn(inOrder.find(({ node }) => node.name.toLowerCase().startsWith(wanted)))
}

interface TreeItemProps extends PlacedBranch, Pick<Tree, 'isStatic' | 'renderActions'> {
  isExpanded: boolean
  isHighlighted: boolean
  isActive: boolean
  groupId: string | undefined
}

/** The tree handles presses by data attributes. */
const TreeItem = memo(function TreeItem(props: TreeItemProps) {
  const { branch, isExpanded, isHighlighted, isActive, renderActions } = props
  const { node, depth } = branch
  const t = useTranslation()
  const reports = reportsOf(branch)
  return (
    <div
      {...(props.isStatic ? {} : ariaOf(props, t(orgLevelOf(depth))))}
      data-node={node.id}
      data-press={`node ${node.id}`}
      className={clsx(
        'flex min-h-14 w-full cursor-pointer flex-wrap items-center gap-2.5 rounded-box border p-2 text-left',
        'chart:w-44 chart:flex-col chart:flex-nowrap chart:gap-1.5 chart:p-3 chart:text-center',
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
      <Face
        person={node}
        className="size-11 text-sm chart:size-14 chart:text-base in-[.org-framed]:chart:size-11 in-[.org-framed]:chart:text-sm"
      />
      <span className="flex min-w-[min(5rem,100%)] flex-1 flex-col items-start gap-0.5 chart:w-full chart:min-w-0 chart:items-center in-[.org-framed]:chart:items-start">
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
          {renderActions(node, isActive ? 0 : -1)}
        </span>
      )}
    </div>
  )
})

function ariaOf({ branch, position, siblings, isActive, ...item }: TreeItemProps, level: string) {
  return {
    role: 'treeitem',
    'aria-label': spokenName(branch.node, level),
    'aria-level': branch.depth + 1,
    'aria-posinset': position,
    'aria-setsize': siblings,
    'aria-selected': item.isHighlighted,
    'aria-owns': item.groupId,
    ...(reportsOf(branch) > 0 ? { 'aria-expanded': item.isExpanded } : {}),
    tabIndex: isActive ? 0 : -1,
  }
}

// For touch and mouse; the keyboard uses the tree's keys.
function ItemToggle({ node, reports, isExpanded }: { node: TreeNode; reports: number; isExpanded: boolean }) {
  const t = useTranslation()
  return (
    <button
      type="button"
      tabIndex={-1}
      data-toggle={node.id}
      data-press={`toggle ${node.id}`}
      aria-label={`${t(isExpanded ? 'Collapse' : 'Expand')} ${node.name}`}
      className={clsx(
        'grid size-11 shrink-0 place-items-center rounded-box hover:bg-soft noscript:hidden print:hidden',
        // The button is on the box's lower edge, over the line that goes down from there.
        'chart:relative chart:z-1 chart:order-last chart:-mb-7 chart:h-8 chart:w-16',
        'chart:after:absolute chart:after:-inset-1.5 chart:hover:bg-transparent',
      )}
    >
      <span className="inline-flex items-center gap-1 text-xs font-semibold tabular-nums chart:rounded-full chart:border chart:border-edge chart:bg-card chart:px-2 chart:py-0.5">
        <ChevronDown
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
