import { useContext } from 'react'
import type { SiteTexts } from '#shared/settings/site-texts.ts'
import { useTranslation, WordsContext } from '#web/lib/translation.tsx'

// A calendar date has no time zone: it is formatted as it was written.
const style = { weekday: 'short', month: 'long', day: 'numeric', timeZone: 'UTC' } as const
const formatsOf = (locale: string) => ({
  day: new Intl.DateTimeFormat(locale, style),
  dayAndYear: new Intl.DateTimeFormat(locale, { ...style, year: 'numeric' }),
})
const english = formatsOf('en-US')
const filipino = formatsOf('fil-PH')

interface ThisSemesterProps {
  dates: SiteTexts['termDates']
  /** The current year: a date of another one is shown with its year. */
  year: string
}

/** The days of the term that are still ahead. */
export function ThisSemester({ dates, year }: ThisSemesterProps) {
  const t = useTranslation()
  const formats = useContext(WordsContext) ? filipino : english
  const formatOf = (date: string) => (date.startsWith(year) ? formats.day : formats.dayAndYear)
  if (dates.length === 0) return null
  return (
    <section aria-labelledby="semester" className="page-width pt-8 md:pt-14">
      <h2 id="semester" className="text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
        {t('This semester')}
      </h2>
      <dl className="mt-4 grid grid-cols-1 gap-x-8 sm:grid-cols-[repeat(auto-fit,minmax(12rem,1fr))] sm:gap-y-6 md:mt-6">
        {dates.map(({ label, date }) => (
          <div
            key={`${date} ${label}`}
            className="flex flex-wrap items-baseline justify-between gap-x-4 border-t-2 border-primary py-2 sm:block sm:pt-4"
          >
            <dt dir="auto" className="text-muted wrap-anywhere max-sm:text-sm">
              {t(label)}
            </dt>
            <dd className="font-semibold max-sm:text-sm sm:text-lg">
              <time dateTime={date}>{formatOf(date).format(Date.parse(`${date}T00:00Z`))}</time>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
