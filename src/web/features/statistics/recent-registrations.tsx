import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Panel } from '#web/components/panel.tsx'
import { type ApiClient, api, reading } from '#web/lib/api.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { axisLines, bucketText } from './statistics-texts.ts'

export const recentQuery = (from: ApiClient) =>
  queryOptions({
    queryKey: ['students', 'statistics', 'last-7-days'],
    queryFn: reading(from.statistics.$get, { query: { period: 'last-7-days', component: 'all' } }),
  })

const shownDays = 7

/** Registrations of today and the six days before. */
export function RecentRegistrations() {
  const { data } = useQuery(recentQuery(api))
  // 168 hours touch eight dates; the first of them isn't whole.
  const buckets = (data?.registrations.buckets ?? []).slice(-shownDays)
  const spoken = buckets
    .map(({ start, count }) => `${bucketText(start, 'day')}: ${figureText(count)}`)
    .join(', ')
  const most = Math.max(1, ...buckets.map(({ count }) => count))
  return (
    <Panel
      title="Registrations by day"
      aside={<p className="text-xs text-muted">Archived students included</p>}
    >
      <Link
        to="/statistics?period=last-7-days"
        aria-label={`Statistics of the last 7 days. ${spoken}`}
        className="flex h-44 items-end gap-2 p-4"
      >
        {buckets.map(({ start, count }) => (
          <span
            key={start}
            aria-hidden="true"
            className="flex h-full min-w-0 flex-1 flex-col justify-end text-center"
          >
            <span className="text-xs font-semibold tabular-nums">{figureText(count)}</span>
            <span
              className="mt-1 rounded-t-sm bg-primary print-colours"
              style={{ height: `${(60 * count) / most}%`, minHeight: 2 }}
            />
            <span className="mt-1 text-xs leading-tight text-muted">{axisLines(start, 'day')}</span>
          </span>
        ))}
      </Link>
    </Panel>
  )
}
