import { createContext, type ReactNode, useContext } from 'react'
import type { TreeNode } from './tree-node.ts'

/** What an item's own buttons are told. */
export interface ItemActions {
  /** For each of them: only those of the item in focus are stops of the tab key. */
  tabIndex: 0 | -1
}

/** What all branches of a tree know. */
export interface TreeState {
  /** Before the ids of elements. */
  prefix: string
  expanded: ReadonlySet<string>
  highlighted: string | null
  /** The one item that the tab key leads to. */
  activeId: string | undefined
  /** As the server sends it: a plain list, until scripts make it a tree. */
  isStatic: boolean
  renderActions: ((node: TreeNode, actions: ItemActions) => ReactNode) | undefined
}

export const TreeContext = createContext<TreeState | null>(null)

export function useTree(): TreeState {
  const state = useContext(TreeContext)
  if (state === null) throw new Error('A branch is outside of its tree.')
  return state
}

/** What is read out of a node: its texts and its level. */
export function spokenName({ name, title, department }: TreeNode, level: string): string {
  return [name, title, level, department].filter((text) => text !== '').join(', ')
}
