import { clsx } from 'clsx'
import { BookOpen, HandHeart, type LucideIcon, Shield, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Share, Statistics } from '#shared/statistics.ts'
import { Skeleton } from '#web/components/skeleton.tsx'
import { rangeOf } from '#web/lib/calendar-texts.ts'
import { figureText } from '#web/lib/count-text.ts'
import { differenceText, percentText } from './statistics-texts.ts'

const components = [
  { key: 'rotc', name: 'ROTC', tone: 'bg-olive-soft text-olive', Icon: Shield },
  { key: 'cwts', name: 'CWTS', tone: 'bg-blue-soft text-blue', Icon: HandHeart },
  { key: 'lts', name: 'LTS', tone: 'bg-amber-soft text-amber', Icon: BookOpen },
] as const

/** How many, and in which component (spec §2). @param statistics null while they are being read */
export function SummaryCards({ statistics }: { statistics: Statistics | null }) {
  const percentOf = (share: Share) => percentText(share, statistics?.total ?? 0)
  return (
    <section aria-label="Summary" className="grid grid-cols-2 gap-4 lg:grid-cols-4 print:grid-cols-4">
      <SummaryCard
        title="Total Students"
        figure={statistics?.total}
        tone="bg-primary-soft text-primary"
        Icon={Users}
        // As high as its notes: nothing moves when they come, nor from one period to the next.
        notesLook="min-h-20 sm:max-lg:min-h-10 xl:min-h-15"
      >
        {statistics && <TotalNotes statistics={statistics} />}
      </SummaryCard>
      {components.map(({ key, name, tone, Icon }) => (
        <SummaryCard
          key={key}
          title={`${name} Students`}
          figure={statistics?.[key].count}
          tone={tone}
          Icon={Icon}
        >
          {statistics && `${percentOf(statistics[key])} of total`}
        </SummaryCard>
      ))}
    </section>
  )
}

/** The dashboard's figure of the same name counts active students alone: both are named here. */
function TotalNotes({ statistics: { total, difference, archived } }: { statistics: Statistics }) {
  return (
    <>
      <span className="block">
        {figureText(total - archived.count)} active and {figureText(archived.count)} archived
      </span>
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
  /** Undefined while it is being read. */
  figure: number | undefined
  tone: string
  Icon: LucideIcon
  notesLook?: string
  children: ReactNode
}

function SummaryCard({ title, figure, tone, Icon, notesLook = 'min-h-10', children }: SummaryCardProps) {
  return (
    <div className="flex min-w-0 flex-col rounded-box border bg-card p-4 shadow-card print:shadow-none">
      <div className="flex min-h-9 items-start justify-between gap-2">
        <h2 className="text-sm font-medium text-muted">{title}</h2>
        <span
          aria-hidden="true"
          className={`grid size-9 shrink-0 place-items-center rounded-box max-sm:hidden print:hidden ${tone}`}
        >
          <Icon className="size-4.5" />
        </span>
      </div>
      <p className="min-h-10 text-3xl leading-10 font-bold tabular-nums">
        {figure === undefined ? <Skeleton className="mt-1.5 h-7 w-20" /> : figureText(figure)}
      </p>
      <div className={clsx('mt-1 text-xs leading-5 text-muted', notesLook)}>
        {figure === undefined ? <Skeleton className="mt-1 h-3 w-24" /> : children}
      </div>
    </div>
  )
}
