import { clsx } from 'clsx'
import { ArrowRight } from 'lucide-react'
import { Link, useRevalidator } from 'react-router'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import type { Section } from '#web/lib/section.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { ChartSummary, SummaryPosition } from './chart-summary.ts'
import { Face } from './face.tsx'

/** Product 1.5. Lists within lists: an outline on a phone, a column for each of the second level on a wide screen. */
export function HomeChart({ chart: { data, failure } }: { chart: Section<ChartSummary> }) {
  const { revalidate } = useRevalidator()
  const t = useTranslation()
  return (
    <section aria-labelledby="organization" className="page-width py-8 md:py-16">
      <h2 id="organization" className="text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
        {t('Organizational chart')}
      </h2>
      {failure !== null ? (
        <div className="mt-4">
          <ErrorBanner message={failure} onRetry={() => void revalidate()} />
        </div>
      ) : data.total === 0 ? (
        <p className="mt-2 text-lg text-muted">{t('No organizational chart data available')}</p>
      ) : (
        <>
          <ul className="mt-4 flex flex-col gap-6 md:mt-8 md:text-center">
            {data.positions.map((top) => (
              <li key={top.id}>
                <Person person={top} level={0} />
                <SecondLevel top={top} />
              </li>
            ))}
            <More count={data.more} />
          </ul>
          <Link
            to="/organization"
            className="mt-3 inline-flex min-h-11 items-center gap-1.5 font-semibold text-primary underline-offset-4 hover:underline md:mt-6"
          >
            {t(`The whole chart (positions: ${data.total})`)}
            <ArrowRight className="size-4" />
          </Link>
        </>
      )}
    </section>
  )
}

// The outline's lines on a phone; from the top's box to its row on a wide screen.
const outline = 'ml-4 flex flex-col gap-2 border-l-2 pt-2 pl-3'

function SecondLevel({ top }: { top: SummaryPosition }) {
  if (top.below.length === 0) return null
  return (
    <ul
      className={clsx(
        outline,
        'md:relative md:ml-0 md:grid md:grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] md:gap-x-0 md:gap-y-8 md:border-l-0 md:pt-8 md:pl-0 md:text-left',
        'md:before:absolute md:before:top-0 md:before:left-1/2 md:before:h-8 md:before:border-l-2 md:before:border-edge',
      )}
    >
      {top.below.map((head) => (
        <li key={head.id} className="min-w-0 md:border-t-2 md:border-edge md:pt-4 md:pr-6">
          <Person person={head} level={1} />
          {head.below.length > 0 && (
            <ul className={clsx(outline, 'md:ml-6 md:gap-3 md:pt-3')}>
              {head.below.map((person) => (
                <li key={person.id} className="min-w-0">
                  <Person person={person} level={2} />
                </li>
              ))}
              <More count={head.more} />
            </ul>
          )}
        </li>
      ))}
      <More count={top.more} />
    </ul>
  )
}

function More({ count }: { count: number }) {
  const t = useTranslation()
  return count > 0 ? <li className="text-sm text-muted">{t(`and ${count} more`)}</li> : null
}

const faces = ['size-10 md:size-16 md:text-lg', 'size-9 text-sm md:size-12', 'size-8 text-xs md:size-10']

function Person({ person, level }: { person: SummaryPosition; level: 0 | 1 | 2 }) {
  const { name, title } = person
  return (
    <div className={clsx('flex min-w-0 items-center gap-3', level === 0 && 'md:inline-flex md:text-left')}>
      <Face person={person} className={faces[level] ?? ''} />
      <div className="min-w-0">
        <p
          dir="auto"
          className={clsx('leading-snug font-semibold wrap-anywhere', level === 0 && 'md:text-lg')}
        >
          {name}
        </p>
        {title !== '' && (
          <p dir="auto" className="text-sm leading-snug wrap-anywhere text-muted">
            {title}
          </p>
        )}
      </div>
    </div>
  )
}
