import type { OrgNode } from '#shared/org-chart.ts'
import type { Section } from '#web/lib/section.ts'

/** The organizational chart of the home page (spec §2). */
export function OrgChart({ chart }: { chart: Section<OrgNode[]> }) {
  return chart.data && chart.data.length > 0 ? <section aria-label="Organizational chart" /> : null
}
