import type { OrgChartData } from './org-chart-data.ts'

interface OrgChartTabProps {
  /** Null while it is being read, and when that has failed. */
  data: OrgChartData | null
  failed: boolean
}

/** The coordinator's tab (spec §2 "Other tabs"). */
export function OrgChartTab({ data, failed }: OrgChartTabProps) {
  return (
    <h1 className="text-2xl font-bold tracking-tight" data-failed={failed} data-shown={data?.shown}>
      Organization Chart
    </h1>
  )
}
