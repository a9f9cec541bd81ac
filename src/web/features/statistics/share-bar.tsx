import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Skeleton } from '#web/components/skeleton.tsx'

export type BarTone = 'primary' | 'gold' | 'neutral'

const tones: Record<BarTone, string> = {
  primary: 'bg-primary',
  gold: 'bg-gold',
  neutral: 'bg-edge',
}

interface ShareBarProps {
  label: ReactNode
  /** The figure in words: '120 · 54.5%'. */
  figure: string
  /** The bar's length in percent of the whole width. */
  length: number
  tone: BarTone
}

/** A line of a distribution: what, how many, and a bar that shows it. The words carry it all. */
export function ShareBar({ label, figure, length, tone }: ShareBarProps) {
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

/** The shape of such a line while it is being read. */
export function ShareBarSkeleton() {
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
