import { clsx } from 'clsx'
import { FileSpreadsheet, Printer } from 'lucide-react'
import { useState } from 'react'
import type { StatisticsFilters as Filters, Statistics } from '#shared/statistics.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { GenderDistribution, PopularCourses, YearLevelDistribution } from './distributions.tsx'
import { emptyStatistics } from './empty-statistics.ts'
import { exportStatistics } from './export-statistics.ts'
import { RegistrationsChart } from './registrations-chart.tsx'
import { StatisticsFilters } from './statistics-filters.tsx'
import { describeFilters } from './statistics-texts.ts'
import { SummaryCards } from './summary-cards.tsx'
import { usePrint } from './use-print.ts'
import './print-statistics.css'

interface StatisticsDashboardProps {
  /** What the person wants to see. */
  filters: Filters
  onFilter: (filters: Filters) => void
  /** What was read last; null while the first of it is being read. */
  statistics: Statistics | null
  /** Whether other figures are being read. */
  busy: boolean
  /** Why the figures can't be read. They are zero then. */
  failure: string | null
  onRetry: () => void
}

/** The statistics page (spec §2 "Statistics page"). */
export function StatisticsDashboard(props: StatisticsDashboardProps) {
  const { filters, failure, busy } = props
  const statistics = failure === null ? props.statistics : emptyStatistics(filters)
  const { momentOf } = useInstantTexts()
  const { print, printedAt } = usePrint(filters)
  return (
    <div className="statistics flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-bold tracking-tight">NSTP Statistics Dashboard</h1>
        <Actions filters={filters} onPrint={print} />
      </div>
      <StatisticsFilters filters={filters} onChange={props.onFilter} />
      {failure !== null && <ErrorBanner message={failure} onRetry={props.onRetry} />}
      <p role="status" className="min-h-5 text-sm text-muted">
        {statistics ? describeFilters(statistics, statistics.periodDates) : 'Loading statistics...'}
        {printedAt && <span className="hidden print:inline"> · Printed {momentOf(printedAt)}</span>}
      </p>
      <div
        aria-busy={busy || statistics === null}
        className={clsx(
          'flex flex-col gap-4',
          busy && 'opacity-60 transition-opacity delay-150 print:opacity-100',
        )}
      >
        <SummaryCards statistics={statistics} />
        <div className="grid grid-cols-1 gap-4 xl:grid-cols-3 print:grid-cols-3">
          <GenderDistribution statistics={statistics} />
          <PopularCourses statistics={statistics} />
          <YearLevelDistribution statistics={statistics} />
          <RegistrationsChart statistics={statistics} />
        </div>
      </div>
    </div>
  )
}

function Actions({ filters, onPrint }: { filters: Filters; onPrint: () => Promise<void> }) {
  const [busyWith, setBusyWith] = useState<'export' | 'print' | null>(null)

  async function run(action: 'export' | 'print', work: () => Promise<void>) {
    setBusyWith(action)
    try {
      await work()
    } finally {
      setBusyWith(null)
    }
  }

  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        icon={<FileSpreadsheet aria-hidden="true" className="size-4" />}
        disabled={busyWith === 'export'}
        onClick={() => void run('export', () => exportStatistics(filters))}
      >
        Export
      </Button>
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        icon={<Printer aria-hidden="true" className="size-4" />}
        disabled={busyWith === 'print'}
        onClick={() => void run('print', onPrint)}
      >
        Print
      </Button>
    </div>
  )
}
