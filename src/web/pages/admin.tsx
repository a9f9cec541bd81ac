import type { QueryClient } from '@tanstack/react-query'
import { redirect } from 'react-router'
import { prefetchDashboard } from '#web/features/statistics/dashboard-tab.tsx'
import { readStart } from '#web/features/statistics/first-steps.tsx'
import { prefetchList } from '#web/features/students/data.ts'
import { archiveListConfig, studentsListConfig } from '#web/features/students/student-lists.ts'
import { type Account, accountOf, startPathOf } from '#web/lib/account.ts'
import { tabOf } from '#web/lib/admin-tab.ts'
import { loadAdministrator, uncachedHeaders } from '#web/lib/administrator.ts'
import { type ApiClient, serverApi } from '#web/lib/api.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { createQueryClient, type FirstReads } from '#web/lib/query.ts'
import type { Route } from './+types/admin'
import { AdminScreens } from './admin-tabs.tsx'

export const headers = uncachedHeaders

export async function loader(args: Route.LoaderArgs) {
  const frame = await loadAdministrator(args)
  const account = accountOf(frame.user)
  const first = startPathOf(account)
  const { pathname, search } = new URL(args.request.url)
  if (first !== adminPath && pathname === adminPath && search === '') throw redirect(first)
  const [start, reads] = await Promise.all([readStart(args), readFirst(args, account)])
  return { ...frame, ...start, reads }
}

// The time limit in ms. A read that takes longer or fails is repeated by the browser, which shows why.
const mostReadMs = 500

/** Reads for the first screen: its rows are in the page, before any script. */
async function readFirst({ context, request }: Route.LoaderArgs, account: Account): Promise<FirstReads> {
  const client = createQueryClient()
  const late = new Promise((resolve) => setTimeout(resolve, mostReadMs))
  await Promise.race([
    prefetch(client, serverApi(context, request), { url: new URL(request.url), account }),
    late,
  ])
  return client
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey, state: { data } }) => (data === undefined ? [] : [[queryKey, data] as const]))
}

async function prefetch(
  client: QueryClient,
  from: ApiClient,
  { url: { pathname, search }, account }: { url: URL; account: Account },
): Promise<void> {
  const tab = tabOf(search)
  if (pathname !== adminPath) await prefetchList(client, from, { search, config: archiveListConfig })
  else if (tab === 'students') await prefetchList(client, from, { search, config: studentsListConfig })
  else if (tab === 'dashboard') await prefetchDashboard(client, from, account)
}

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function Admin({ loaderData }: Route.ComponentProps) {
  return <AdminScreens {...loaderData} />
}
