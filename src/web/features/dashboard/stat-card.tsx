import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { Skeleton } from '#web/components/skeleton.tsx'
import { figureText } from '#web/lib/count-text.ts'
import type { StatCardContent } from './stat-cards.ts'

const tones: Record<StatCardContent['tone'], string> = {
  primary: 'bg-primary-soft text-primary',
  olive: 'bg-olive-soft text-olive',
  blue: 'bg-blue-soft text-blue',
  amber: 'bg-amber-soft text-amber',
}

/** One figure that opens the list behind it. */
export function StatCard({ card }: { card: StatCardContent }) {
  const { title, figure, note, tone, to, Icon } = card
  return (
    <Link
      to={to}
      replace
      className="group flex flex-col rounded-box border bg-card p-4 shadow-card transition-colors hover:border-primary"
    >
      <span className="flex min-h-10 items-start justify-between gap-3">
        <span className="text-sm font-medium text-muted">{title}</span>
        <span
          aria-hidden="true"
          className={clsx('grid size-9 shrink-0 place-items-center rounded-box', tones[tone])}
        >
          <Icon className="size-4.5" />
        </span>
      </span>
      <span className="mt-1 block text-3xl leading-10 font-bold tabular-nums">
        {figure === null ? <Skeleton className="mt-1.5 h-7 w-20" /> : figureText(figure)}
      </span>
      <span className="mt-auto flex min-h-10 items-end justify-between gap-2 text-xs text-muted">
        {note}
        <ArrowRight
          aria-hidden="true"
          className="size-4 shrink-0 transition-transform group-hover:translate-x-0.5 group-hover:text-primary"
        />
      </span>
    </Link>
  )
}
