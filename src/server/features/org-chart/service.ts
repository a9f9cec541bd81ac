import type { OrgChartContent } from '#shared/org-chart.ts'
import { createArranging } from './arrange.ts'
import { createNodeChanges } from './node-changes.ts'
import { presentChart } from './present.ts'
import { createOrgChartRepository } from './repository.ts'
import { createTreeChanges, type OrgChartOptions } from './tree-changes.ts'

export type OrgChartService = ReturnType<typeof createOrgChartService>

/** The organizational chart. Every change of it stands in the audit trail, or isn't made. */
export function createOrgChartService(options: OrgChartOptions) {
  const change = createTreeChanges(options)
  return {
    /** The whole chart. */
    async read(): Promise<OrgChartContent> {
      return presentChart(await createOrgChartRepository(options.database.db).list())
    },
    ...createNodeChanges(options, change),
    ...createArranging(options, change),
  }
}
