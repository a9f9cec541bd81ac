import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { nestNodes, type OrgBranch } from '#shared/org-chart/org-tree.ts'

/**
 * The most positions that the home page shows at the top, below each of those, and below each of these in turn: who
 * leads, not everybody.
 */
const mostOfLevel = [2, 6, 4]

export interface SummaryPosition extends Pick<OrgNode, 'id' | 'name' | 'title' | 'image'> {
  below: SummaryPosition[]
  /** How many positions directly below this one are left out. */
  more: number
}

export interface ChartSummary {
  positions: SummaryPosition[]
  /** How many positions at the top are left out. */
  more: number
  /** How many positions the whole chart has. */
  total: number
}

/** The first three levels, for the home page. */
export function summarizeChart(chart: readonly OrgNode[]): ChartSummary {
  const top = nestNodes(chart)
  const positions = positionsAt(top, 0)
  return { positions, more: top.length - positions.length, total: chart.length }
}

function positionsAt(branches: readonly OrgBranch<OrgNode>[], depth: number): SummaryPosition[] {
  return branches.slice(0, mostOfLevel[depth] ?? 0).map(({ node, children }) => {
    const { id, name, title, image } = node
    const below = positionsAt(children, depth + 1)
    return { id, name, title, image, below, more: depth < 2 ? children.length - below.length : 0 }
  })
}
