import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { nestNodes, type OrgBranch } from '#shared/org-chart/org-tree.ts'

/** So many of each level below the same position: the page shows who leads, not everybody. */
const mostOfLevel = [2, 6, 4]

export interface SummaryPosition extends Pick<OrgNode, 'id' | 'name' | 'title' | 'image'> {
  below: SummaryPosition[]
  /** Positions of the next level that are left out. */
  more: number
}

export interface ChartSummary {
  positions: SummaryPosition[]
  total: number
}

/** The first three levels, for the home page. */
export function summarizeChart(chart: readonly OrgNode[]): ChartSummary {
  return { positions: levelOf(nestNodes(chart), 0), total: chart.length }
}

function levelOf(branches: readonly OrgBranch<OrgNode>[], depth: number): SummaryPosition[] {
  return branches.slice(0, mostOfLevel[depth] ?? 0).map(({ node, children }) => {
    const { id, name, title, image } = node
    const below = levelOf(children, depth + 1)
    return { id, name, title, image, below, more: depth < 2 ? children.length - below.length : 0 }
  })
}
