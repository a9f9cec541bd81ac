import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  BookOpen,
  CalendarClock,
  HandHeart,
  type LucideIcon,
  Megaphone,
  Shield,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { createSearchParams, Link, useLocation } from 'react-router'
import type { DashboardCounts } from '#shared/statistics/statistics-response.ts'
import { componentNames } from '#shared/students/student-choices.ts'
import { Panel } from '#web/components/panel.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { type Account, useAccount } from '#web/lib/account.ts'
import { permissionAt, tabPath } from '#web/lib/admin-tab.ts'
import { type ApiClient, api, reading } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { Attention, attentionQueries } from './attention.tsx'
import { GettingStarted } from './first-steps.tsx'
import { activityQuery, RecentActivity } from './recent-activity.tsx'
import { axisLines, bucketText } from './statistics-texts.ts'

const countsQuery = (from: ApiClient) =>
  queryOptions({
    queryKey: ['students', 'dashboard'],
    meta: { topics: ['announcements', 'settings'] },
    queryFn: reading(from.dashboard.$get, undefined),
  })

/** Leaves out what can't be read. */
export async function prefetchDashboard(
  client: QueryClient,
  from: ApiClient,
  account: Account,
): Promise<void> {
  const { can } = account
  await Promise.all([
    client.prefetchQuery(countsQuery(from)),
    ...attentionQueries(from, account).map((query) => client.prefetchQuery(query)),
    can('statistics') && client.prefetchQuery(recentQuery(from)),
    can('audit') && client.prefetchQuery(activityQuery(from)),
  ])
}

interface DashboardTabProps {
  dayCode: ReactNode
  thisTerm: ReactNode
}

/** While it loads, the cards reserve their space. */
export function DashboardTab({ dayCode, thisTerm }: DashboardTabProps) {
  const query = useQuery(countsQuery(api))
  const counts = query.data ?? null
  const { search, key } = useLocation()
  const { can, includes } = useAccount()
  const { onlyWithCode } = useSettings()
  return (
    <TabFrame query={query} failure="Failed to load students data">
      <h1 className="text-2xl font-bold tracking-tight">Dashboard</h1>
      <div className="mt-5">
        {can('settings') && (
          <GettingStarted
            // Asked for again, it shows again.
            key={key}
            counts={counts}
            isAsked={createSearchParams(search).has('start')}
          />
        )}
        {/* Others see it beside its switch. */}
        {onlyWithCode && can('code') && !can('settings') && (
          <Panel title="Code of the day" className="mb-5">
            <div className="px-4 py-3">{dayCode}</div>
          </Panel>
        )}
      </div>
      <section
        aria-label="Figures"
        aria-busy={counts === null}
        className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-3 sm:gap-4 lg:grid-cols-3 2xl:grid-cols-6"
      >
        {statCards(counts)
          .filter(({ to, component }) => can(permissionAt(to)) && (!component || includes(component)))
          .map((card) => (
            <StatCard key={card.title} card={card} />
          ))}
      </section>
      <div className="mt-6 grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Attention />
        {can('statistics') && <RecentRegistrations />}
      </div>
      {can('terms.read') && thisTerm}
      {can('audit') && <RecentActivity counts={counts} />}
    </TabFrame>
  )
}

function StatCard({ card }: { card: StatCardContent }) {
  const { title, figure, note, tone, to, Icon } = card
  return (
    <Link
      to={to}
      replace
      className="group @container flex min-w-0 flex-col rounded-box border bg-card p-3 shadow-card transition-colors hover:border-primary sm:p-4"
    >
      <span className="flex min-h-10 items-start justify-between gap-3">
        <span className="min-w-0 text-sm font-medium wrap-anywhere text-muted">{title}</span>
        <span
          aria-hidden="true"
          className={`grid size-9 shrink-0 place-items-center rounded-box @max-[10rem]:hidden ${tone}`}
        >
          <Icon className="size-4.5" />
        </span>
      </span>
      <span className="mt-1 block min-h-10 text-3xl leading-10 font-bold tabular-nums">
        {figure === null ? <Skeleton className="mt-1.5 h-7 w-20" /> : figureText(figure)}
      </span>
      <span className="mt-auto flex min-h-10 items-end justify-between gap-2 text-xs text-muted">
        {note}
        <ArrowRight className="size-4 shrink-0 transition-transform group-hover:translate-x-0.5 group-hover:text-primary" />
      </span>
    </Link>
  )
}

interface StatCardContent {
  title: string
  component?: string
  figure: number | null
  note: string
  tone: string
  to: string
  Icon: LucideIcon
}

const primary = 'bg-primary-soft text-primary'
const componentCards = [
  { name: 'ROTC', key: 'rotcStudents', tone: 'bg-olive-soft text-olive', Icon: Shield },
  { name: 'CWTS', key: 'cwtsStudents', tone: 'bg-blue-soft text-blue', Icon: HandHeart },
  { name: 'LTS', key: 'ltsStudents', tone: 'bg-amber-soft text-amber', Icon: BookOpen },
] as const

/** Product 8.5. @param counts null while loading */
export function statCards(counts: DashboardCounts | null): StatCardContent[] {
  return [
    {
      title: 'Total Students',
      figure: counts?.totalStudents ?? null,
      // The statistics count archived ones too, under the same title.
      note: `Active students (${counts ? figureText(counts.archivedStudents) : '–'} archived not included)`,
      tone: primary,
      to: tabPath('students'),
      Icon: Users,
    },
    ...componentCards.map(({ name, key, ...looks }) => ({
      title: `${name} Students`,
      component: name,
      figure: counts?.[key] ?? null,
      note: slotsText(counts, name) ?? componentNames[name],
      to: tabPath('students', { component: name }),
      ...looks,
    })),
    {
      title: 'Recent Registrations',
      figure: counts?.recentRegistrations ?? null,
      note: `Last 30 days · ${counts ? figureText(counts.lastSevenDays) : '–'} in the last 7 days`,
      tone: primary,
      // The figure counts 30 days, its list the last 7 (product 8.5).
      to: tabPath('students', { period: 'last-7-days' }),
      Icon: CalendarClock,
    },
    {
      title: 'Active Announcements',
      figure: counts?.activeAnnouncements ?? null,
      note: 'Public now',
      tone: primary,
      to: tabPath('announcements'),
      Icon: Megaphone,
    },
  ]
}

function slotsText(counts: DashboardCounts | null, name: string): string | undefined {
  const use = counts?.quotas.find(({ component }) => component === name)
  if (!use) return undefined
  const slots = `${countOf(use.quota, 'slot')} in ${use.academicYear}`
  return use.count > use.quota
    ? `${figureText(use.count)} enlisted, ${slots}: full`
    : `${figureText(use.count)} of ${slots}`
}

const recentQuery = (from: ApiClient) =>
  queryOptions({
    queryKey: ['students', 'statistics', 'last-7-days'],
    queryFn: reading(from.statistics.$get, { query: { period: 'last-7-days', component: 'all' } }),
  })

const shownDays = 7

/** Registrations of today and the six days before. */
function RecentRegistrations() {
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
