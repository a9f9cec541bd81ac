import { StatisticsDashboard } from '#web/features/statistics/statistics-dashboard.tsx'
import { staticMeta } from '#web/lib/page-meta.ts'

export const meta = staticMeta({ title: 'Statistics' })

export default StatisticsDashboard
