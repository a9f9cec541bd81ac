import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Statistics } from '#shared/statistics/statistics.ts'
import { Skeleton } from '#web/components/skeleton.tsx'
import { figureText } from '#web/lib/number-texts.ts'
import { StatisticsCard } from './statistics-card.tsx'
import { percentText, yearLevelText } from './statistics-texts.ts'

interface DistributionProps {
  statistics: Statistics | null
}

const sexes = [
  { key: 'male', label: 'Male', tone: 'primary' },
  { key: 'female', label: 'Female', tone: 'gold' },
  { key: 'other', label: 'Other', tone: 'neutral' },
] as const satisfies readonly { key: string; label: string; tone: BarTone }[]

export function GenderDistribution({ statistics }: DistributionProps) {
  return (
    <StatisticsCard
      title="Gender Distribution"
      aside={
        statistics && (
          <p className="text-sm text-muted">
            Ratio M:F <span className="font-semibold text-fg tabular-nums">{statistics.gender.ratio}</span>
          </p>
        )
      }
    >
      <ul className="flex flex-col gap-2.5">
        {sexes.map(({ key, label, tone }) => (
          <li key={key}>
            {statistics ? (
              <ShareBar
                label={label}
                figure={figureOf(statistics.gender[key], statistics.total)}
                length={statistics.gender[key].percent}
                tone={tone}
              />
            ) : (
              <ShareBarSkeleton />
            )}
          </li>
        ))}
      </ul>
    </StatisticsCard>
  )
}

// Five lines, so that nothing below moves.
const rankingHeight = 'min-h-[13.875rem]'

export function PopularCourses({ statistics }: DistributionProps) {
  const isEmpty = statistics?.courses.length === 0
  return (
    <StatisticsCard title="Popular Courses">
      {isEmpty ? (
        <Nothing className={rankingHeight}>No course data available</Nothing>
      ) : (
        <ol className={`flex flex-col gap-2.5 ${rankingHeight}`}>
          {statistics
            ? statistics.courses.map(({ rank, course, bar, ...share }) => (
                <li key={course}>
                  <ShareBar
                    label={
                      <>
                        <span className="mr-2 inline-block min-w-5 text-muted tabular-nums">{rank}.</span>
                        {course}
                      </>
                    }
                    figure={figureOf(share, statistics.total)}
                    length={bar}
                    tone="primary"
                  />
                </li>
              ))
            : skeletons(5)}
        </ol>
      )}
    </StatisticsCard>
  )
}

export function YearLevelDistribution({ statistics }: DistributionProps) {
  return (
    <StatisticsCard title="Year Level Distribution">
      {statistics?.total === 0 ? (
        <Nothing className="min-h-[16.875rem]">No year level data available</Nothing>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {statistics
            ? statistics.yearLevels.map(({ yearLevel, ...share }) => (
                <li key={yearLevel}>
                  <ShareBar
                    label={yearLevelText(yearLevel)}
                    figure={figureOf(share, statistics.total)}
                    length={share.percent}
                    tone={yearLevel === null ? 'neutral' : 'primary'}
                  />
                </li>
              ))
            : skeletons(6)}
        </ul>
      )}
    </StatisticsCard>
  )
}

function figureOf(share: { count: number; percent: number }, total: number): string {
  return `${figureText(share.count)} · ${percentText(share, total)}`
}

function skeletons(count: number) {
  return Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: grey lines, each like the other
    <li key={index}>
      <ShareBarSkeleton />
    </li>
  ))
}

function Nothing({ className, children }: { className: string; children: string }) {
  return <p className={`grid place-items-center text-sm text-muted ${className}`}>{children}</p>
}

type BarTone = 'primary' | 'gold' | 'neutral'

const tones: Record<BarTone, string> = {
  primary: 'bg-primary',
  gold: 'bg-gold',
  neutral: 'bg-edge',
}

interface ShareBarProps {
  label: ReactNode
  figure: string
  /** Percent of the whole width. */
  length: number
  tone: BarTone
}

function ShareBar({ label, figure, length, tone }: ShareBarProps) {
  return (
    <>
      <div className="flex h-6 items-baseline justify-between gap-3 text-sm">
        <span className="min-w-0 truncate font-medium">{label}</span>{' '}
        <span className="shrink-0 text-muted tabular-nums">{figure}</span>
      </div>
      <div aria-hidden="true" className="h-2.5 overflow-hidden rounded-full bg-soft print-colours">
        <div
          className={clsx('h-full rounded-full transition-[width] duration-150', tones[tone])}
          style={{ width: `${length}%` }}
        />
      </div>
    </>
  )
}

function ShareBarSkeleton() {
  return (
    <>
      <div className="flex h-6 items-center justify-between">
        <Skeleton className="h-4 w-16" />
        <Skeleton className="h-4 w-24" />
      </div>
      <Skeleton className="h-2.5 w-full" />
    </>
  )
}
