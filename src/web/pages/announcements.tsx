import { feedPath } from '#shared/announcements/announcements.ts'
import { cardsOf } from '#web/features/announcements/announcement-facts.tsx'
import {
  AnnouncementsView,
  listQueryOf,
  readAnnouncementsAddress,
} from '#web/features/announcements/announcements-view.tsx'
import { api, callApi, serverApi } from '#web/lib/api.ts'
import { useLiveRevalidation } from '#web/lib/live.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { readSection } from '#web/lib/section.ts'
import { isFailedRevalidation } from '#web/lib/stale-data.ts'
import type { Route } from './+types/announcements'

const title = 'Announcements'

export const meta = staticMeta({
  title,
  description:
    'News and notices of the National Service Training Program: ROTC, CWTS, important dates and events.',
})

export const links: Route.LinksFunction = () => [
  { rel: 'alternate', type: 'application/atom+xml', title, href: feedPath },
]

export async function loader({ context, request }: Route.LoaderArgs) {
  const { announcements } = serverApi(context, request)
  const { reportFault } = context.get(pageContext)
  return await load(request, (query) => callApi(announcements.$get({ query })).then(cardsOf), reportFault)
}

// A lost connection shows an error instead of the list.
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { signal } = request
  return await load(
    request,
    (query) => callApi(api.announcements.$get({ query }, { init: { signal } })).then(cardsOf),
    reportError,
    (error) => isFailedRevalidation(error, request),
  )
}

async function load(
  { url }: Request,
  read: (query: ReturnType<typeof listQueryOf>) => Promise<ReturnType<typeof cardsOf>>,
  reportFault: (fault: unknown) => void,
  isForOthers?: (error: unknown) => boolean,
) {
  const address = readAnnouncementsAddress(new URL(url).searchParams)
  const reading = read(listQueryOf(address))
  return { address, announcements: await readSection('announcements', reading, reportFault, isForOthers) }
}

export default function Announcements({ loaderData }: Route.ComponentProps) {
  useLiveRevalidation(['announcements'])
  return <AnnouncementsView {...loaderData} />
}
