import { StatisticsDashboard } from '#web/features/statistics/statistics-dashboard.tsx'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/statistics'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Statistics', site: frame.loaderData?.settings })
}

export default StatisticsDashboard
