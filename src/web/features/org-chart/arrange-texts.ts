import type { OrgNode } from '#shared/org-chart.ts'
import { targetOf } from '#shared/org-moves.ts'

/** Where a position stands, as it is read out after a move. */
export function placeInWords(nodes: readonly OrgNode[], id: string): string {
  const node = nodes.find((one) => one.id === id)
  const place = targetOf(nodes, id)
  if (!node || !place) return ''
  const siblings = nodes.filter(({ parentId }) => parentId === node.parentId).length
  const parent = nodes.find((one) => one.id === node.parentId)
  return `${node.name} is number ${place.index + 1} of ${siblings} ${parent ? `under ${parent.name}` : 'at the top'}. Not saved yet.`
}
