import { clsx } from 'clsx'
import type { Registrations, Statistics } from '#shared/statistics/statistics.ts'
import { Skeleton } from '#web/components/skeleton.tsx'
import { figureText } from '#web/lib/number-texts.ts'
import { StatisticsCard } from './statistics-card.tsx'
import { axisLines, bucketText } from './statistics-texts.ts'

const unitTexts = { day: 'Day', month: 'Month', year: 'Year' } satisfies Record<Registrations['unit'], string>

const plotHeight = 'h-48'

/** Columns, and a table for screen readers. @param statistics null while loading */
export function RegistrationsChart({ statistics }: { statistics: Statistics | null }) {
  const unit = statistics?.registrations.unit
  return (
    <StatisticsCard
      title="Registrations over Time"
      className="col-span-full"
      aside={unit && <p className="text-sm text-muted">By {unitTexts[unit].toLowerCase()}</p>}
    >
      {/* As high with columns as without: plot and labels. */}
      <div className="mt-3 h-60">
        {statistics ? (
          <Plot {...statistics.registrations} />
        ) : (
          <Skeleton className={`w-full ${plotHeight}`} />
        )}
      </div>
    </StatisticsCard>
  )
}

function Plot({ unit, buckets }: Registrations) {
  if (buckets.every(({ count }) => count === 0)) {
    return (
      <p className="grid h-full place-items-center text-sm text-muted">No registrations in this period</p>
    )
  }
  const end = axisEnd(Math.max(...buckets.map(({ count }) => count)))
  return (
    <>
      <div aria-hidden="true" className="flex h-full gap-2">
        <Axis end={end} />
        <div className="relative min-w-0 flex-1">
          <div className={`relative ${plotHeight}`}>
            {[0, 50, 100].map((height) => (
              <span
                key={height}
                className={clsx('absolute inset-x-0 border-t', height === 0 && 'border-edge')}
                style={{ bottom: `${height}%` }}
              />
            ))}
            <div className="absolute inset-0 flex items-end gap-px sm:gap-1">
              {buckets.map(({ start, count }) => (
                <Column
                  key={start}
                  count={count}
                  end={end}
                  name={bucketText(start, unit)}
                  few={buckets.length}
                />
              ))}
            </div>
          </div>
          <Labels unit={unit} buckets={buckets} />
        </div>
      </div>
      <Table unit={unit} buckets={buckets} />
    </>
  )
}

function Axis({ end }: { end: number }) {
  return (
    <div className={`relative w-9 shrink-0 text-right text-xs text-muted tabular-nums ${plotHeight}`}>
      {[0, 50, 100].map((height) => (
        <span key={height} className="absolute right-0 translate-y-1/2" style={{ bottom: `${height}%` }}>
          {figureText((end * height) / 100)}
        </span>
      ))}
    </div>
  )
}

interface ColumnProps {
  count: number
  end: number
  name: string
  few: number
}

function Column({ count, end, name, few }: ColumnProps) {
  return (
    <div
      title={`${name}: ${figureText(count)}`}
      className="group flex h-full min-w-0 flex-1 flex-col items-center justify-end"
    >
      {count > 0 && few <= 12 && (
        <span className={clsx('text-xs text-muted tabular-nums', few > 8 && 'max-sm:hidden')}>
          {figureText(count)}
        </span>
      )}
      <span
        className="w-full max-w-12 shrink-0 rounded-t-[0.25rem] bg-primary transition-[height] duration-150 group-hover:bg-primary-strong print-colours"
        style={{ height: `${(100 * count) / end}%` }}
      />
    </div>
  )
}

function Labels({ unit, buckets }: Registrations) {
  const { narrow, wide } = labelSteps(buckets.length)
  return (
    <div className="flex gap-px pt-1.5 sm:gap-1">
      {buckets.map(({ start }, index) => (
        <div key={start} className="relative h-9 min-w-0 flex-1">
          {index % wide === 0 && (
            <span
              className={clsx(
                'absolute left-1/2 -translate-x-1/2 text-center text-xs leading-4 whitespace-nowrap text-muted',
                index % narrow !== 0 && 'max-sm:hidden',
              )}
            >
              {axisLines(start, unit).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

function Table({ unit, buckets }: Registrations) {
  return (
    // A table takes its rows' height whatever it is told: the box around it is what is out of sight.
    <div className="sr-only">
      <table>
        <caption>Registrations over time</caption>
        <thead>
          <tr>
            <th scope="col">{unitTexts[unit]}</th>
            <th scope="col">Registrations</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map(({ start, count }) => (
            <tr key={start}>
              <th scope="row">{bucketText(start, unit)}</th>
              <td>{figureText(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// Within a power of ten.
const steps = [1, 2, 3, 4, 6, 8, 10]

/** The first step that holds the greatest count, and whose half is whole. */
export function axisEnd(greatest: number): number {
  if (greatest <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(greatest))
  const end = steps.map((step) => step * power).find((value) => value >= greatest) ?? 10 * power
  // 3 alone is odd.
  return end + (end % 2)
}

const mostLabels = { narrow: 6, wide: 12 }

/** A label on every n-th bucket. The narrow labels are a subset of the wide ones. */
export function labelSteps(buckets: number): { narrow: number; wide: number } {
  const wide = Math.max(1, Math.ceil(buckets / mostLabels.wide))
  const narrow = wide * Math.max(1, Math.ceil(buckets / wide / mostLabels.narrow))
  return { narrow, wide }
}
