import { Network } from 'lucide-react'
import { useRevalidator } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { useLastGood } from '#web/lib/last-good.ts'
import type { Section } from '#web/lib/section.ts'
import type { ChartExcerpt } from './chart-excerpt.ts'
import { ChartExplorer } from './chart-explorer.tsx'

export interface ChartSectionProps {
  chart: Section<ChartExcerpt>
  /** As the server sends it: nothing can be pressed yet. */
  isStatic?: boolean
}

/** The organizational chart with its heading, in all its states. */
export function ChartSection({ chart, isStatic = false }: ChartSectionProps) {
  const { revalidate } = useRevalidator()
  const shown = useLastGood(chart.data, 'chart')
  return (
    <section aria-labelledby="organization" className="page-width py-14 md:py-20">
      <h2 id="organization" className="text-2xl font-bold tracking-tight md:text-3xl">
        Organizational chart
      </h2>
      <p className="mt-2 max-w-2xl text-lg text-muted">
        Who leads the program, and whom to turn to. Choose a person to highlight them.
      </p>
      <div className="mt-8 flex flex-col gap-4">
        {chart.failure !== null && <ErrorBanner message={chart.failure} onRetry={() => void revalidate()} />}
        {shown && shown.total > 0 && <ChartExplorer chart={shown} isStatic={isStatic} />}
        {shown?.total === 0 && (
          <EmptyState
            icon={<Network className="size-8" strokeWidth={1.5} />}
            title="No organizational chart data available"
          />
        )}
      </div>
    </section>
  )
}
