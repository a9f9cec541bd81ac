import { useRouteLoaderData } from 'react-router'
import { homeAnnouncements } from '#shared/announcements/announcements.ts'
import { cardsOf } from '#web/features/announcements/announcement-facts.tsx'
import { LatestAnnouncements } from '#web/features/announcements/latest-announcements.tsx'
import { summarizeChart } from '#web/features/org-chart/chart-summary.ts'
import { HomeChart } from '#web/features/org-chart/home-chart.tsx'
import { readReference } from '#web/features/registration/receipt.ts'
import { EnlistedNotice, UnsentNotice } from '#web/features/registration/registration-texts.tsx'
import { CallToAction, FeatureList, Hero, Testimonials } from '#web/features/site/home.tsx'
import { ProgramCards } from '#web/features/site/program-cards.tsx'
import { ThisSemester } from '#web/features/site/this-semester.tsx'
import { Slideshow } from '#web/features/slideshow/slideshow.tsx'
import { callApi, serverApi } from '#web/lib/api.ts'
import { useLiveRevalidation } from '#web/lib/live.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readSection } from '#web/lib/section.ts'
import type { Route } from './+types/home'
import type { loader as publicLoader } from './public-layout.tsx'

export async function loader({ context, request }: Route.LoaderArgs) {
  const api = serverApi(context, request)
  const { texts, datesAhead, reportFault } = context.get(pageContext)
  const { hero, features, testimonials, componentFacts } = texts()
  const [announcements, slides, chart, enlisted] = await Promise.all([
    readSection(
      'announcements',
      callApi(api.announcements.$get({ query: { limit: String(homeAnnouncements) } })).then(
        (piece) => cardsOf(piece).items,
      ),
      reportFault,
    ),
    readSection(
      'slideshow',
      callApi(api.slides.$get({ query: {} })).then(({ items }) => items),
      reportFault,
    ),
    readSection(
      'organizational chart',
      callApi(api['org-chart'].$get()).then(({ items }) => summarizeChart(items)),
      reportFault,
    ),
    readReference(context, request),
  ])
  return {
    texts: { hero, features, testimonials, dates: datesAhead(), componentFacts },
    announcements,
    slides,
    chart,
    enlisted,
  }
}

export const meta = staticMeta({
  description:
    'Enlist for the National Service Training Program (Republic Act 9163): choose ROTC or CWTS and register online with your school.',
})

export default function Home({ loaderData }: Route.ComponentProps) {
  const { texts, announcements, slides, chart, enlisted } = loaderData
  const session = useRouteLoaderData<typeof publicLoader>('pages/public-layout')
  const user = session?.user ?? null
  useLiveRevalidation(['announcements', 'slides', 'org-chart'])
  return (
    <>
      <UnsentNotice />
      <EnlistedNotice reference={enlisted} />
      <Hero user={user} texts={texts.hero} picture={slides.data?.[0]?.image ?? null} />
      <Slideshow slides={slides} isAdmin={user !== null} />
      <ThisSemester dates={texts.dates} year={session?.year ?? ''} />
      <FeatureList texts={texts.features} />
      <LatestAnnouncements announcements={announcements} />
      <ProgramCards facts={texts.componentFacts} />
      <Testimonials texts={texts.testimonials} />
      <HomeChart chart={chart} />
      <CallToAction user={user} />
    </>
  )
}
