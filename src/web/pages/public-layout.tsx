import { Outlet, type ShouldRevalidateFunctionArgs } from 'react-router'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { enlistmentAvailability } from '#shared/site/calls-to-action.ts'
import filipino from '#shared/site/filipino.json' with { type: 'json' }
import type { Words } from '#shared/site/translation.ts'
import { SkipLink } from '#web/components/skip-link.tsx'
import { PublicFooter, PublicHeader } from '#web/features/site/public-frame.tsx'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useLiveRevalidation } from '#web/lib/live.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { readUser } from '#web/lib/session.ts'
import { EnlistmentAvailabilityContext, ProgramTimeZone, SiteContext } from '#web/lib/site.ts'
import type { Route } from './+types/public-layout'

export async function loader({ context, request }: Route.LoaderArgs) {
  const { timeZone, site: names, origin, language, registration, texts } = context.get(pageContext)
  const site = { ...names, origin }
  const words = language === 'fil' ? filipinoFor(new URL(request.url).pathname) : null
  const year = calendarDateOf(new Date(), timeZone).slice(0, 4)
  const { contact, officeLinks } = texts()
  const office = { contact, officeLinks }
  const common = { year, timeZone, site, words, office, availability: enlistmentAvailability(registration()) }
  try {
    return { user: await readUser(context, request), ...common }
  } catch (error) {
    // The public pages don't depend on the session: when it can't be read, the user counts as a visitor.
    if (error instanceof ApiProblem) return { user: null, ...common }
    throw error
  }
}

// Each page is sent only the words it needs: a section names the beginnings of its paths, '/' the home page alone.
function filipinoFor(pathname: string): Words {
  const isFor = (path: string) => pathname === path || (path !== '/' && pathname.startsWith(path))
  const sections = Object.entries(filipino).filter(([paths]) => paths.split(' ').some(isFor))
  return Object.assign({}, ...sections.map(([, words]) => words))
}

// Other cards of the same page don't change the session.
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = change
  const isSamePage = currentUrl.pathname === nextUrl.pathname
  const isOtherPart = isSamePage && currentUrl.href !== nextUrl.href
  return isOtherPart ? false : defaultShouldRevalidate
}

export default function PublicLayout({ loaderData }: Route.ComponentProps) {
  const { user, year, timeZone, site, office, availability } = loaderData
  useLiveRevalidation(['settings'])
  return (
    <ProgramTimeZone value={timeZone}>
      <SiteContext value={site}>
        <EnlistmentAvailabilityContext value={availability}>
          <SkipLink />
          <PublicHeader user={user} />
          {/* As high as the screen without the header: the foot doesn't move while the page arrives. */}
          <main id="content" tabIndex={-1} className="min-h-[calc(100dvh-4rem)] outline-hidden">
            <Outlet />
          </main>
          <PublicFooter user={user} year={year} office={office} />
        </EnlistmentAvailabilityContext>
      </SiteContext>
    </ProgramTimeZone>
  )
}
