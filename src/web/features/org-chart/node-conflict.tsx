import type { OrgNode } from '#shared/org-chart.ts'
import { ConflictPanel } from '#web/components/conflict-panel.tsx'
import { changedSince } from './node-changes.ts'
import { readChart } from './org-chart-data.ts'

interface NodeConflictProps {
  /** As the form saw the position. */
  seen: OrgNode
  onTakeOver: (now: OrgNode) => void
  onSaveOver: (now: OrgNode) => void
}

/** After a save of a position that somebody else changed meanwhile. */
export function NodeConflict({ seen, onTakeOver, onSaveOver }: NodeConflictProps) {
  async function read(signal: AbortSignal) {
    const { items: nodes } = await readChart(signal)
    const node = nodes.find(({ id }) => id === seen.id)
    return node && { node, nodes }
  }
  return (
    <ConflictPanel
      what="position"
      read={read}
      changesOf={({ node, nodes }) => changedSince(seen, node, nodes)}
      // Only what was changed here is sent.
      saveLabel="Save my changes over it"
      onTakeOver={({ node }) => onTakeOver(node)}
      onSaveOver={({ node }) => onSaveOver(node)}
    />
  )
}
