import type { PaneProps } from './data.ts'

/** What others say of the whole term; of another feature. */
export function ListsPane({ term, renderLists }: PaneProps) {
  return renderLists(term)
}
