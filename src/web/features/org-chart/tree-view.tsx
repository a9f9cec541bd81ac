import { type KeyboardEvent, type MouseEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import type { OrgBranch } from '#shared/org-tree.ts'
import { TreeBranch } from './tree-branch.tsx'
import { type ItemActions, TreeContext } from './tree-context.ts'
import { actOfKey, actOfTyping } from './tree-keys.ts'
import type { TreeNode } from './tree-node.ts'

/** Letters typed within this time belong together, in milliseconds. */
const typingMs = 700

export interface TreeViewProps {
  /** The tree's name, read out. */
  label: string
  roots: readonly OrgBranch<TreeNode>[]
  /** What is open. */
  expanded: ReadonlySet<string>
  highlighted: string | null
  /** Nodes are to be opened or closed. */
  onToggle: (ids: readonly string[], isOpen: boolean) => void
  /** A node is to be highlighted; null when the highlighted one was pressed again. */
  onHighlight: (id: string | null) => void
  /** Buttons in a node's box. Give the same function each time: then only the boxes that change are made anew. */
  renderActions?: ((node: TreeNode, actions: ItemActions) => ReactNode) | undefined
  /** As the server sends it: nothing can be pressed yet. */
  isStatic?: boolean
  describedBy?: string | undefined
  ref?: Ref<HTMLUListElement>
}

/**
 * The nodes as a tree (WAI-ARIA's pattern "Tree View"): one stop of the tab key, arrow keys inside. Whether it
 * looks like an outline or like boxes with lines, `data-view` of an element around it says (tree.css).
 */
export function TreeView({
  label,
  roots,
  expanded,
  highlighted,
  onToggle,
  onHighlight,
  renderActions,
  isStatic = false,
  describedBy,
  ref,
}: TreeViewProps) {
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
    if (act.kind === 'focus') focusOn(event.currentTarget, act.id)
    else if (act.kind === 'toggle') onToggle(act.ids, act.isOpen)
    else onHighlight(act.id === highlighted ? null : act.id)
  }

  function onClick(event: MouseEvent<HTMLUListElement>) {
    if (!(event.target instanceof Element) || event.target.closest('[data-actions]')) return
    const toggle = event.target.closest<HTMLElement>('[data-toggle]')?.dataset.toggle
    const id = itemOf(event.target)
    if (toggle !== undefined) {
      // The keys go on from there, and the chart keeps that box in its place.
      focusOn(event.currentTarget, toggle)
      onToggle([toggle], !expanded.has(toggle))
    } else if (id !== undefined) onHighlight(id === highlighted ? null : id)
  }

  const handlers = {
    onKeyDown,
    onClick,
    onFocus: (event: { target: EventTarget }) => setFocused(itemOf(event.target) ?? null),
  }
  return (
    <TreeContext value={{ prefix, expanded, highlighted, activeId, isStatic, renderActions }}>
      <ul
        ref={ref}
        aria-label={label}
        aria-describedby={describedBy}
        {...(isStatic ? {} : { role: 'tree', ...handlers })}
        className="org-tree"
      >
        {roots.map((branch, index) => (
          <TreeBranch key={branch.node.id} branch={branch} position={index + 1} siblings={roots.length} />
        ))}
      </ul>
    </TreeContext>
  )
}

/** The item that the tab key leads to: where the focus was last, or the nearest above it that is in sight. */
function activeOf(
  roots: readonly OrgBranch<TreeNode>[],
  expanded: ReadonlySet<string>,
  focused: string | null,
): string | undefined {
  const pathTo = (branches: readonly OrgBranch<TreeNode>[]): string[] | undefined => {
    for (const { node, children } of branches) {
      if (node.id === focused) return [node.id]
      const below = pathTo(children)
      if (below) return expanded.has(node.id) ? [node.id, ...below] : [node.id]
    }
    return undefined
  }
  return (focused === null ? undefined : pathTo(roots)?.at(-1)) ?? roots[0]?.node.id
}

function itemOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-node]')?.dataset.node : undefined
}

function isInButton(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, a, input, select') !== null
}

function focusOn(tree: Element, id: string): void {
  tree.querySelector<HTMLElement>(`[data-node="${CSS.escape(id)}"]`)?.focus()
}

function isCombined({ ctrlKey, metaKey, altKey, shiftKey, key }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || (shiftKey && key.startsWith('Arrow'))
}

function isLetter(key: string): boolean {
  return /^[\p{L}\p{N}]$/u.test(key)
}

/** Puts letters together that are typed one soon after the other. */
function useTyping(): (letter: string) => string {
  const typed = useRef({ letters: '', at: 0 })
  return (letter) => {
    const { letters, at } = typed.current
    const now = Date.now()
    typed.current = { letters: now - at < typingMs ? letters + letter : letter, at: now }
    return typed.current.letters
  }
}
