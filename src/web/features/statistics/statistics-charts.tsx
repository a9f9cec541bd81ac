import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { periodLabels } from '#shared/periods.ts'
import { popularCourses, unknownCourse } from '#shared/statistics/statistics.ts'
import type { Registrations, Share, Statistics } from '#shared/statistics/statistics-response.ts'
import { Hint } from '#web/components/hint.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { axisLines, bucketText, comparedText, percentText, yearLevelText } from './statistics-texts.ts'

/** The students of a figure: archived ones count too. */
export function listPath({ period, component }: Statistics, filter: Record<string, string>): string {
  return tabPath('students', { archive: 'all', period, component, ...filter })
}

export interface Compared {
  /** Null while loading. */
  statistics: Statistics | null
  /** The statistics of the period that is compared. */
  other: Statistics | null
}

const unitTexts = { day: 'Day', month: 'Month', year: 'Year' } satisfies Record<Registrations['unit'], string>

const plotHeight = 'h-48'

/** Null when they don't fit the columns: another unit, more of them, or all time, which begins anywhere. */
export function bucketsBeside(statistics: Statistics, other: Statistics): Registrations['buckets'] | null {
  const isAllTime = [statistics, other].some(({ period }) => period === 'all-time')
  const { unit, buckets } = other.registrations
  const fits =
    unit === statistics.registrations.unit && buckets.length <= statistics.registrations.buckets.length
  return fits && !isAllTime ? buckets : null
}

/** Columns, and a table for screen readers. A comparison is bucket by bucket: the first month with the first. */
export function RegistrationsChart({ statistics, other }: Compared) {
  const unit = statistics?.registrations.unit
  const others = statistics && other && bucketsBeside(statistics, other)
  return (
    <StatisticsCard
      title="Registrations over time"
      className="col-span-full"
      aside={
        unit && (
          <Hint>
            By {unitTexts[unit].toLowerCase()}
            {other && ` · ${besideText(periodLabels[other.period], unit, others)}`}
          </Hint>
        )
      }
    >
      {/* Fixed height, with or without data. */}
      <div className="relative mt-3 h-60">
        {statistics ? (
          <Plot {...statistics.registrations} statistics={statistics} others={others ?? []} />
        ) : (
          <Skeleton className={`w-full ${plotHeight}`} />
        )}
      </div>
    </StatisticsCard>
  )
}

function besideText(name: string, unit: Registrations['unit'], others: Registrations['buckets'] | null) {
  if (others === null) return `no thin bars: ${name} has no matching ${unit}s`
  return `thin bars: ${name}${others[0] ? `, from ${bucketText(others[0].start, unit)}` : ''}`
}

interface PlotProps extends Registrations {
  statistics: Statistics
  others: Registrations['buckets']
}

function Plot({ unit, buckets, statistics, others }: PlotProps) {
  if (buckets.every(({ count }) => count === 0)) {
    return (
      <p className="grid h-full place-items-center text-sm text-muted">No registrations in this period</p>
    )
  }
  // '2026-11-01' of a month is '2026-11'.
  const length = { year: 4, month: 7, day: 10 }[unit]
  const columns = buckets.map(({ start, count }, index) => ({
    start,
    count,
    name: bucketText(start, unit),
    other: others[index],
    // The last 168 hours begin within their first day.
    to:
      statistics.period === 'last-7-days' && index === 0
        ? null
        : listPath(statistics, { period: start.slice(0, length) }),
  }))
  const end = axisEnd(Math.max(...[...buckets, ...others].map(({ count }) => count)))
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
              {columns.map(({ start, ...column }) => (
                <Column key={start} {...column} unit={unit} end={end} few={buckets.length} />
              ))}
            </div>
          </div>
          <Labels unit={unit} buckets={buckets} />
        </div>
      </div>
      <Table unit={unit} columns={columns} />
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
  unit: Registrations['unit']
  count: number
  other: Registrations['buckets'][number] | undefined
  end: number
  name: string
  to: string | null
  few: number
}

function Column({ unit, count, other, end, name, to, few }: ColumnProps) {
  const others = other ? ` · ${bucketText(other.start, unit)}: ${figureText(other.count)}` : ''
  const frame = {
    title: `${name}: ${figureText(count)}${others}`,
    className: 'group relative flex h-full min-w-0 flex-1 flex-col items-center justify-end',
  }
  const bar = (
    <>
      {count > 0 && few <= 12 && (
        <span className={clsx('text-xs text-muted tabular-nums', few > 8 && 'max-sm:hidden')}>
          {figureText(count)}
        </span>
      )}
      <span
        className="w-full max-w-12 shrink-0 rounded-t-[0.25rem] bg-primary transition-[height] duration-150 group-hover:bg-primary-strong print-colours"
        style={{ height: `${(100 * count) / end}%` }}
      />
      {other && (
        <span
          className="absolute bottom-0 w-1/4 max-w-3 bg-gold print-colours"
          style={{ height: `${(100 * other.count) / end}%` }}
        />
      )}
    </>
  )
  // The keyboard reaches the same lists by the links of the table.
  return to === null ? (
    <div {...frame}>{bar}</div>
  ) : (
    <Link to={to} tabIndex={-1} {...frame}>
      {bar}
    </Link>
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

interface TableProps {
  unit: Registrations['unit']
  columns: readonly (Pick<ColumnProps, 'count' | 'name' | 'to' | 'other'> & { start: string })[]
}

function Table({ unit, columns }: TableProps) {
  return (
    // A table's height can't be limited, so its wrapper is visually hidden until a link in it has the focus.
    <div className="sr-only focus-within:not-sr-only focus-within:absolute! focus-within:inset-x-0 focus-within:-top-3 focus-within:text-sm focus-within:max-h-full! focus-within:overflow-y-auto! focus-within:bg-card! print:sr-only [&_a]:inline-block [&_a]:min-h-6 [&_a]:underline [&_td]:px-3 [&_th]:px-3 [&_th]:text-left">
      <table>
        <caption>Registrations over time</caption>
        <thead>
          <tr>
            <th scope="col">{unitTexts[unit]}</th>
            <th scope="col">Registrations</th>
            {columns[0]?.other && <th scope="col">Compared</th>}
          </tr>
        </thead>
        <tbody>
          {columns.map(({ start, count, name, to, other }) => (
            <tr key={start}>
              <th scope="row">{to === null ? name : <Link to={to}>{name}</Link>}</th>
              <td>{figureText(count)}</td>
              {other && <td>{comparedText(count, other.count, bucketText(other.start, unit))}</td>}
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
  // 3 can't be halved.
  return end + (end % 2)
}

const mostLabels = { narrow: 6, wide: 12 }

/** A label on every n-th bucket. The narrow labels are a subset of the wide ones. */
export function labelSteps(buckets: number): { narrow: number; wide: number } {
  const wide = Math.max(1, Math.ceil(buckets / mostLabels.wide))
  const narrow = wide * Math.max(1, Math.ceil(buckets / wide / mostLabels.narrow))
  return { narrow, wide }
}

const sexes = [
  { key: 'male', label: 'Male', tone: 'primary' },
  { key: 'female', label: 'Female', tone: 'gold' },
  { key: 'other', label: 'Other', tone: 'neutral' },
] as const satisfies readonly { key: string; label: string; tone: BarTone }[]

// Five lines, against layout shift.
const rankingHeight = 'min-h-[13.875rem]'

export function Distributions({ statistics, other }: Compared) {
  const compare = (count: number, countOf: (other: Statistics) => number | undefined) =>
    other && comparedText(count, countOf(other) ?? 0, periodLabels[other.period])
  const figureOf = (share: Share) =>
    `${figureText(share.count)} · ${percentText(share, statistics?.total ?? 0)}`
  const to = (filter: Record<string, string>) => statistics && listPath(statistics, filter)
  const ratio = statistics && (
    <Hint>
      Male : female <span className="font-semibold text-fg tabular-nums">{statistics.gender.ratio}</span>
      {other && ` · ${periodLabels[other.period]}: ${other.gender.ratio}`}
    </Hint>
  )
  return (
    <>
      <Distribution
        title="Gender Distribution"
        aside={ratio}
        lines={3}
        bars={
          statistics &&
          sexes.map(({ key, label, tone }) => {
            const share = statistics.gender[key]
            return {
              key,
              label,
              tone,
              figure: figureOf(share),
              length: share.percent,
              to: to({ sex: key }),
              compared: compare(share.count, ({ gender }) => gender[key].count),
            }
          })
        }
      />
      <Distribution
        title="Popular Courses"
        List="ol"
        lines={5}
        className={rankingHeight}
        empty={{ text: 'No course data available', className: rankingHeight }}
        bars={statistics?.courses.slice(0, popularCourses).map(({ rank, course, bar, ...share }) => ({
          key: course,
          label: (
            <>
              <span className="mr-2 inline-block min-w-5 text-muted tabular-nums">{rank}.</span>
              {course}
            </>
          ),
          tone: 'primary',
          figure: figureOf(share),
          length: bar,
          to: course === unknownCourse ? null : to({ course }),
          compared: compare(
            share.count,
            ({ courses }) => courses.find((one) => one.course === course)?.count,
          ),
        }))}
      />
      <Distribution
        title="Year Level Distribution"
        lines={6}
        empty={{ text: 'No year level data available', className: 'min-h-[16.875rem]' }}
        bars={
          statistics &&
          (statistics.total === 0 ? [] : statistics.yearLevels).map(({ yearLevel, ...share }) => ({
            key: yearLevelText(yearLevel),
            label: yearLevelText(yearLevel),
            tone: yearLevel === null ? 'neutral' : 'primary',
            figure: figureOf(share),
            length: share.percent,
            to: yearLevel === null ? null : to({ yearLevel: String(yearLevel) }),
            compared: compare(
              share.count,
              ({ yearLevels }) => yearLevels.find((one) => one.yearLevel === yearLevel)?.count,
            ),
          }))
        }
      />
    </>
  )
}

interface DistributionProps {
  title: string
  aside?: ReactNode
  List?: 'ol' | 'ul'
  className?: string
  /** The number of lines of the placeholder while loading. */
  lines: number
  bars: readonly ShareBarProps[] | null | undefined
  empty?: { text: string; className: string }
}

function Distribution({ title, aside, List = 'ul', className, lines, bars, empty }: DistributionProps) {
  return (
    <StatisticsCard title={title} aside={aside}>
      {empty && bars?.length === 0 ? (
        <p className={clsx('grid place-items-center text-sm text-muted', empty.className)}>{empty.text}</p>
      ) : (
        <List className={clsx('flex flex-col gap-2.5', className)}>
          {bars?.map((bar) => <ShareBar {...bar} key={bar.key} />) ??
            Array.from({ length: lines }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: grey lines, each like the other
              <li key={index}>
                <div className="flex h-6 items-center justify-between">
                  <Skeleton className="h-4 w-16" />
                  <Skeleton className="h-4 w-24" />
                </div>
                <Skeleton className="h-2.5 w-full" />
              </li>
            ))}
        </List>
      )}
    </StatisticsCard>
  )
}

type BarTone = 'primary' | 'gold' | 'neutral'

const tones: Record<BarTone, string> = { primary: 'bg-primary', gold: 'bg-gold', neutral: 'bg-edge' }

interface ShareBarProps {
  key: string
  label: ReactNode
  figure: string
  /** Percent of the whole width. */
  length: number
  tone: BarTone
  /** Its list of students. */
  to: string | null
  compared: string | null
}

function ShareBar({ label, figure, length, tone, to, compared }: Omit<ShareBarProps, 'key'>) {
  return (
    <li>
      <div className="flex h-6 items-baseline justify-between gap-3 text-sm">
        <span className="min-w-0 truncate font-medium">
          {to ? (
            <Link to={to} className="text-primary underline underline-offset-2">
              {label}
            </Link>
          ) : (
            label
          )}
        </span>{' '}
        <span className="shrink-0 text-muted tabular-nums">{figure}</span>
      </div>
      <div aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-soft print-colours">
        <div
          className={clsx('h-full rounded-full transition-[width] duration-150', tones[tone])}
          style={{ width: `${length}%` }}
        />
      </div>
      {compared && <p className="text-xs leading-5 text-muted tabular-nums">{compared}</p>}
    </li>
  )
}

interface StatisticsCardProps {
  title: string
  aside?: ReactNode
  className?: string
  children: ReactNode
}

// Stays whole on paper.
function StatisticsCard({ title, aside, className, children }: StatisticsCardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={clsx(
        'flex min-w-0 break-inside-avoid flex-col rounded-box border bg-card p-4 shadow-card print:shadow-none',
        className,
      )}
    >
      <header className="mb-3 flex min-h-6 flex-wrap items-baseline justify-between gap-x-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
