import { useMemo, useState } from 'react'
import { ancestorsOf, nestNodes, type OrgPlace } from '#shared/org-tree.ts'
import { allExpanded, firstExpanded, withToggled } from './tree-expansion.ts'
import type { TreeNode } from './tree-node.ts'

/** A chart of up to so many positions is open as a whole at first. */
const openAtFirst = 60

const nothing: ReadonlySet<string> = new Set()

/**
 * What of the chart is open. What is closed is kept, so that a position which gets its first one under it shows it.
 *
 * @param isFiltered a department's positions are few: they are all in sight at first
 */
export function useExpanded(nodes: readonly TreeNode[], isFiltered: boolean) {
  const parents = useMemo(() => allExpanded(nestNodes(nodes)), [nodes])
  const [closed, setClosed] = useState<ReadonlySet<string> | null>(null)
  const [closedFiltered, setClosedFiltered] = useState(nothing)
  if (closed === null && !isFiltered && nodes.length > 0) {
    setClosed(withToggled(parents, [...firstExpanded(nestNodes(nodes), openAtFirst)], false))
  }
  const known = isFiltered ? closedFiltered : (closed ?? nothing)
  const set = isFiltered ? setClosedFiltered : setClosed
  const expanded = useMemo(() => withToggled(parents, [...known], false), [parents, known])

  return {
    expanded,
    toggle: (ids: readonly string[], isOpen: boolean) => set(withToggled(known, ids, !isOpen)),
    expandAll: () => set(nothing),
    collapseAll: () => set(parents),
    /** Opens what is above a node, so that it is in sight. */
    reveal(places: readonly OrgPlace[], id: string) {
      const above = ancestorsOf(places, id).map((place) => place.id)
      if (above.some((each) => known.has(each))) set(withToggled(known, above, false))
    },
  }
}
