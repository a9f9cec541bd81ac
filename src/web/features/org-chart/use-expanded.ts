import { useState } from 'react'
import { ancestorsOf, nestNodes, type OrgPlace } from '#shared/org-tree.ts'
import { allExpanded, firstExpanded, withToggled } from './tree-expansion.ts'
import type { TreeNode } from './tree-node.ts'

/** A chart of up to so many positions is open as a whole at first. */
const openAtFirst = 60

/** What of the chart is open. A department's positions are few: they are all in sight. */
export function useExpanded(nodes: readonly TreeNode[], isFiltered: boolean) {
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const all = () => allExpanded(nestNodes(nodes))

  let expanded = chosen
  if (isFiltered) expanded = withToggled(all(), [...closed], false)
  else if (expanded === null) expanded = firstExpanded(nestNodes(nodes), openAtFirst)
  const known = expanded

  function toggle(ids: readonly string[], isOpen: boolean) {
    if (isFiltered) setClosed((before) => withToggled(before, ids, !isOpen))
    else setChosen(withToggled(known, ids, isOpen))
  }

  return {
    expanded: known,
    toggle,
    expandAll: () => toggle([...all()], true),
    collapseAll: () => toggle([...known], false),
    /** Opens what is above a node, so that it is in sight. */
    reveal(places: readonly OrgPlace[], id: string) {
      const above = ancestorsOf(places, id).map((place) => place.id)
      if (above.some((each) => !known.has(each))) toggle(above, true)
    },
  }
}
