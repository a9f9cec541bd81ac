import { useLocation, useNavigate } from 'react-router'
import type { Statistics } from '#shared/statistics/statistics.ts'
import { StatisticsDashboard } from '#web/features/statistics/statistics-dashboard.tsx'
import {
  readStatisticsFilters,
  statisticsPath,
  writeStatisticsFilters,
} from '#web/features/statistics/statistics-query.ts'
import { api, callApi } from '#web/lib/api.ts'
import type { ApiProblem } from '#web/lib/api-problem.ts'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { useInitialRead } from '#web/lib/page-data.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { usePendingLocation } from '#web/lib/pending-location.ts'
import { readDuringNavigation } from '#web/lib/session-end.ts'
import { failureToShow } from '#web/lib/stale-data.ts'
import type { Route } from './+types/statistics'

export function meta({ matches: [, frame] }: Route.MetaArgs): Route.MetaDescriptors {
  return pageMeta({ title: 'Statistics', site: frame.loaderData?.settings })
}

interface Content {
  statistics: Statistics | null
  failure: string | null
}

// The document has no figures; the page reads them.
export function loader(): Content {
  return { statistics: null, failure: null }
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Content> {
  const { pathname, search, searchParams } = new URL(request.url)
  const { signal } = request
  const query = readStatisticsFilters(searchParams)
  try {
    const statistics = await readDuringNavigation(`${pathname}${search}`, () =>
      callApi(api.statistics.$get({ query }, { init: { signal } })),
    )
    return { statistics, failure: null }
  } catch (error) {
    return { statistics: null, failure: failureOf(failureToShow(error, request)) }
  }
}

/** Spec §6 without a session, else spec §8. */
function failureOf({ message, problem }: ApiProblem): string {
  return problem.code === 'unauthenticated' ? message : `Failed to load students data. Error: ${message}`
}

export default function StatisticsPage({ loaderData: { statistics, failure } }: Route.ComponentProps) {
  const navigate = useNavigate()
  const readAgain = useInitialRead({ read: statistics, shown: statistics, failure })
  const current = useLocation()
  const { search } = usePendingLocation()
  useLiveRevalidation(['students', 'settings'])

  return (
    <StatisticsDashboard
      filters={readStatisticsFilters(new URLSearchParams(search))}
      onFilter={(filters) =>
        void navigate(`${statisticsPath}${writeStatisticsFilters(filters)}`, { preventScrollReset: true })
      }
      statistics={statistics}
      busy={search !== current.search}
      failure={failure}
      onRetry={readAgain}
    />
  )
}
