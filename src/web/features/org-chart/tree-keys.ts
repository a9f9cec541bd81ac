import type { OrgBranch } from '#shared/org-tree.ts'
import { shownBranches } from './tree-expansion.ts'
import { reportsOf, type TreeNode } from './tree-node.ts'

/** What a key does in a tree (WAI-ARIA's pattern "Tree View"). */
export type TreeAct =
  | { kind: 'focus'; id: string }
  | { kind: 'toggle'; ids: readonly string[]; isOpen: boolean }
  | { kind: 'highlight'; id: string }

interface TreeState {
  roots: readonly OrgBranch<TreeNode>[]
  expanded: ReadonlySet<string>
  /** Where the focus is. */
  activeId: string
}

/** @returns undefined for a key that means nothing there */
export function actOfKey(key: string, { roots, expanded, activeId }: TreeState): TreeAct | undefined {
  const shown = shownBranches(roots, expanded)
  const index = shown.findIndex(({ node }) => node.id === activeId)
  const active = shown[index]
  if (active === undefined) return undefined
  const isOpen = expanded.has(activeId)

  switch (key) {
    case 'ArrowDown':
      return focusOn(shown[index + 1])
    case 'ArrowUp':
      return focusOn(shown[index - 1])
    case 'Home':
      return focusOn(shown[0])
    case 'End':
      return focusOn(shown.at(-1))
    case 'ArrowRight':
      if (reportsOf(active) === 0) return undefined
      return isOpen ? focusOn(active.children[0]) : { kind: 'toggle', ids: [activeId], isOpen: true }
    case 'ArrowLeft':
      if (isOpen && reportsOf(active) > 0) return { kind: 'toggle', ids: [activeId], isOpen: false }
      return focusOn(shown.find(({ node }) => node.id === active.node.parentId))
    case '*':
      return { kind: 'toggle', ids: siblingsToOpen(shown, active), isOpen: true }
    case 'Enter':
    case ' ':
      return { kind: 'highlight', id: activeId }
    default:
      return undefined
  }
}

function focusOn(branch: OrgBranch<TreeNode> | undefined): TreeAct | undefined {
  return branch && { kind: 'focus', id: branch.node.id }
}

function siblingsToOpen(shown: readonly OrgBranch<TreeNode>[], active: OrgBranch<TreeNode>): string[] {
  return shown
    .filter((branch) => branch.node.parentId === active.node.parentId && reportsOf(branch) > 0)
    .map(({ node }) => node.id)
}

/**
 * What typed letters do: they lead to a node: the next in sight whose name begins with them. One letter, or the same
 * one several times, goes on from the node in focus; more letters may stay at it.
 */
export function actOfTyping(typed: string, state: TreeState): TreeAct | undefined {
  const shown = shownBranches(state.roots, state.expanded)
  const letters = [...typed.toLowerCase()]
  const isOneLetter = letters.every((letter) => letter === letters[0])
  const wanted = isOneLetter ? (letters[0] ?? '') : letters.join('')
  const from = shown.findIndex(({ node }) => node.id === state.activeId) + (isOneLetter ? 1 : 0)
  const inTurn = [...shown.slice(from), ...shown.slice(0, from)]
  return focusOn(inTurn.find(({ node }) => node.name.toLowerCase().startsWith(wanted)))
}
