import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { BookOpen, FileSpreadsheet, HandHeart, type LucideIcon, Printer, Shield, Users } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import {
  countedYearLevels,
  defaultStatisticsFilters,
  type StatisticsFilters as Filters,
} from '#shared/statistics/statistics.ts'
import type { Share, Statistics } from '#shared/statistics/statistics-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { type Compared, Distributions, listPath, RegistrationsChart } from './statistics-charts.tsx'
import {
  comparedText,
  describeFilters,
  describePeriod,
  differenceText,
  percentText,
} from './statistics-texts.ts'
import './print-statistics.css'
import { parseAsStringLiteral } from 'nuqs/server'
import { flushSync } from 'react-dom'
import { periodLabels, periods } from '#shared/periods.ts'
import { componentFilters } from '#shared/students/students.ts'
import { ComponentButtons } from '#web/components/choice-buttons.tsx'
import { SelectField } from '#web/components/field.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { createAddress } from '#web/lib/address.ts'
import { api, callApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { failureOf } from '#web/lib/query.ts'
import { rangeOf } from '#web/lib/relative-time.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import { runAfter } from '#web/lib/timers.ts'

/** Product 21. */
export function StatisticsDashboard() {
  const navigate = useNavigate()
  const read = statisticsAddress.read(useLocation().search)
  const address = { ...read, compare: read.compare === read.period ? null : read.compare }
  const { compare, ...filters } = address
  const query = useQuery({
    queryKey: ['students', 'statistics', address],
    meta: { topics: ['settings'] },
    async queryFn({ signal }) {
      const read = (period: Filters['period']) =>
        callApi(api.statistics.$get({ query: { ...filters, period } }, { init: { signal } }))
      const [statistics, other] = await Promise.all([read(filters.period), compare && read(compare)])
      return { statistics, other }
    },
    placeholderData: keepPreviousData,
  })
  const busy = query.isPlaceholderData
  const problem = failureOf(query)
  const failure = problem === null ? null : `Failed to load students data. Error: ${problem}`
  const statistics = failure === null ? (query.data?.statistics ?? null) : emptyStatistics(filters)
  const other = failure === null ? (query.data?.other ?? null) : null
  const { momentOf } = useInstantTexts()
  const { print, printedAt } = usePrint(filters)
  return (
    <div className="statistics flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-bold tracking-tight">NSTP Statistics Dashboard</h1>
        <div className="flex flex-wrap gap-2 print:hidden">
          <Action label="Export" Icon={FileSpreadsheet} work={() => exportStatistics(address)} />
          <Action label="Print" Icon={Printer} work={print} />
        </div>
      </div>
      <StatisticsFilterBar
        filters={address}
        onChange={(next) =>
          void navigate(statisticsAddress.to({ ...address, ...next }), { preventScrollReset: true })
        }
      />
      {failure !== null && <ErrorBanner message={failure} onRetry={() => void query.refetch()} />}
      <Hint role="status" className="min-h-5">
        {statistics ? describeFilters(statistics, statistics.periodDates) : 'Loading statistics...'}
        {other && ` · Compared with ${describePeriod(other, other.periodDates)}`}
        {printedAt && <span className="hidden print:inline"> · Printed {momentOf(printedAt)}</span>}
      </Hint>
      <div
        aria-busy={busy || statistics === null}
        className={clsx(
          'flex flex-col gap-4',
          busy && 'opacity-60 transition-opacity delay-150 print:opacity-100',
        )}
      >
        <SummaryCards statistics={statistics} other={other} />
        <div className="grid grid-cols-1 gap-4 xl:grid-cols-3 print:grid-cols-3">
          <Distributions statistics={statistics} other={other} />
          <RegistrationsChart statistics={statistics} other={other} />
        </div>
      </div>
    </div>
  )
}

function Action({ label, Icon, work }: { label: string; Icon: LucideIcon; work: () => Promise<void> }) {
  const action = useMutation({ networkMode: 'always', mutationFn: work })
  return (
    <SmallButton icon={Icon} disabled={action.isPending} onClick={() => action.mutate()}>
      {label}
    </SmallButton>
  )
}

const none: Share = { count: 0, percent: 0 }

/** All zero (product 21.5), never old figures. */
export function emptyStatistics(filters: Filters): Statistics {
  return {
    ...filters,
    periodDates: null,
    total: 0,
    rotc: none,
    cwts: none,
    lts: none,
    archived: none,
    difference: null,
    gender: { male: none, female: none, other: none, ratio: '0:0' },
    courses: [],
    yearLevels: [...countedYearLevels, null].map((yearLevel) => ({ yearLevel, ...none })),
    registrations: { unit: 'month', buckets: [] },
  }
}

// In ms (product 21.4).
const preparingMs = 1_500
const completeMs = 2_000

async function exportStatistics({ compare, ...filters }: Address): Promise<void> {
  // Shown longer when the workbook takes longer.
  const hide = showToast('info', 'Preparing Excel export...', { shownMs: null })
  try {
    const [response] = await Promise.all([
      api.statistics['export.xlsx'].$get({ query: compare ? { ...filters, compare } : filters }),
      new Promise<void>((resolve) => void runAfter(preparingMs, () => resolve())),
    ])
    await saveDownload(response, 'NSTP statistics.xlsx')
    showToast('success', 'Export complete!', { shownMs: completeMs })
  } catch (error) {
    showToast('error', failureText('Failed to export statistics', error))
  } finally {
    hide()
  }
}

const periodOptions = optionsOf(periods, periodLabels)

type Address = ReturnType<typeof statisticsAddress.read>

interface StatisticsFilterBarProps {
  filters: Address
  onChange: (changes: Partial<Address>) => void
}

function StatisticsFilterBar({ filters, onChange }: StatisticsFilterBarProps) {
  const periodOf = (text: string) => periods.find((choice) => choice === text) ?? null
  return (
    <div className="flex flex-wrap gap-3 print:hidden">
      <SelectField
        name="period"
        className="min-w-[min(11rem,100%)]"
        label="Time Period"
        density="compact"
        options={periodOptions}
        value={filters.period}
        onChange={({ target }) => {
          const period = periodOf(target.value)
          if (period) onChange({ period })
        }}
      />
      <SelectField
        name="compare"
        className="min-w-[min(11rem,100%)]"
        label="Compare with"
        density="compact"
        options={[
          { value: '', label: 'No comparison' },
          ...periodOptions.filter(({ value }) => value !== filters.period),
        ]}
        value={filters.compare ?? ''}
        onChange={({ target }) => onChange({ compare: periodOf(target.value) })}
      />
      <ComponentButtons
        hasLts
        selected={filters.component}
        onSelect={(component) => onChange({ component })}
      />
    </div>
  )
}

/**
 * Records each print, also by the browser's own command. @returns how to print, and the time of the
 * last print (ISO) for the paper
 */
function usePrint(filters: Filters) {
  const [printedAt, setPrintedAt] = useState<string | null>(null)
  const isRecorded = useRef(false)

  const prepare = useEffectEvent(() => {
    // The time has to be on the page before the browser captures it.
    flushSync(() => setPrintedAt(new Date().toISOString()))
    if (!isRecorded.current) void record(filters)
    isRecorded.current = false
  })
  useEffect(() => {
    const onPrint = () => prepare()
    window.addEventListener('beforeprint', onPrint)
    return () => window.removeEventListener('beforeprint', onPrint)
  }, [])

  return {
    printedAt,
    async print() {
      if (!(await record(filters))) return
      isRecorded.current = true
      window.print()
    },
  }
}

async function record(filters: Filters): Promise<boolean> {
  try {
    await api.statistics.prints.$post({ json: filters })
    return true
  } catch (error) {
    showToast('error', failureText('Failed to record the print', error))
    return false
  }
}

const components = [
  { key: 'rotc', name: 'ROTC', tone: 'bg-olive-soft text-olive', Icon: Shield },
  { key: 'cwts', name: 'CWTS', tone: 'bg-blue-soft text-blue', Icon: HandHeart },
  { key: 'lts', name: 'LTS', tone: 'bg-amber-soft text-amber', Icon: BookOpen },
] as const

function SummaryCards({ statistics, other }: Compared) {
  const percentOf = (share: Share) => percentText(share, statistics?.total ?? 0)
  return (
    <section
      aria-label="Summary"
      className="grid grid-cols-[repeat(auto-fit,minmax(min(8.5rem,100%),1fr))] gap-4 lg:grid-cols-4 print:grid-cols-4"
    >
      <SummaryCard
        title="Total Students"
        to={statistics && listPath(statistics, {})}
        figure={statistics?.total}
        tone="bg-primary-soft text-primary"
        Icon={Users}
        // The space is as high as the notes, so that the layout doesn't shift.
        notesClass="min-h-20 sm:max-lg:min-h-10 xl:min-h-15"
      >
        {statistics && <TotalNotes statistics={statistics} />}
        {statistics && other && (
          <p>{comparedText(statistics.total, other.total, periodLabels[other.period])}</p>
        )}
      </SummaryCard>
      {components.map(({ key, name, tone, Icon }) => (
        <SummaryCard
          key={key}
          title={`${name} Students`}
          to={
            statistics && ['all', name].includes(statistics.component)
              ? listPath(statistics, { component: name })
              : null
          }
          figure={statistics?.[key].count}
          tone={tone}
          Icon={Icon}
        >
          {statistics && `${percentOf(statistics[key])} of total`}
          {statistics && other && (
            <p>{comparedText(statistics[key].count, other[key].count, periodLabels[other.period])}</p>
          )}
        </SummaryCard>
      ))}
    </section>
  )
}

// The dashboard's figure of this name counts active students only.
function TotalNotes({ statistics: { difference, archived } }: { statistics: Statistics }) {
  return (
    <>
      <span className="block">incl. {figureText(archived.count)} archived</span>
      <span
        className="block"
        title={
          difference
            ? `${rangeOf(difference.previousDates)}: ${figureText(difference.previousTotal)}`
            : undefined
        }
      >
        {differenceText(difference)}
      </span>
    </>
  )
}

interface SummaryCardProps {
  title: string
  /** Its list of students. */
  to: string | null
  figure: number | undefined
  tone: string
  Icon: LucideIcon
  notesClass?: string
  children: ReactNode
}

function SummaryCard({ title, to, figure, tone, Icon, notesClass = 'min-h-10', children }: SummaryCardProps) {
  return (
    <div className="@container flex min-w-0 flex-col rounded-box border bg-card p-4 shadow-card print:shadow-none">
      <div className="flex min-h-9 items-start justify-between gap-2">
        <h2 className="min-w-0 text-sm font-medium text-muted">
          {to === null ? (
            title
          ) : (
            <Link to={to} className="text-primary underline underline-offset-2">
              {title}
            </Link>
          )}
        </h2>
        <span
          aria-hidden="true"
          className={`grid size-9 shrink-0 place-items-center rounded-box @max-[9rem]:hidden max-sm:hidden print:hidden ${tone}`}
        >
          <Icon className="size-4.5" />
        </span>
      </div>
      <p className="min-h-10 text-3xl leading-10 font-bold tabular-nums">
        {figure === undefined ? <Skeleton className="mt-1.5 h-7 w-20" /> : figureText(figure)}
      </p>
      <div className={clsx('mt-1 text-xs leading-5 text-muted', notesClass)}>
        {figure === undefined ? <Skeleton className="mt-1 h-3 w-24" /> : children}
      </div>
    </div>
  )
}

export const statisticsAddress = createAddress('/statistics', {
  period: parseAsStringLiteral(periods).withDefault(defaultStatisticsFilters.period),
  component: parseAsStringLiteral(componentFilters).withDefault(defaultStatisticsFilters.component),
  compare: parseAsStringLiteral(periods),
})
