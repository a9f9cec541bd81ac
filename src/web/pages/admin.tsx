import { Outlet } from 'react-router'
import { AdminData } from '#web/components/admin-queries.tsx'
import { AdminShell } from '#web/features/site/admin-frame.tsx'
import { readStart } from '#web/features/statistics/attention.tsx'
import { loadAdministrator, uncachedHeaders } from '#web/lib/administrator.ts'
import type { Route } from './+types/admin'
import { searchSources } from './admin-tabs.tsx'

export const headers = uncachedHeaders

export async function loader(args: Route.LoaderArgs) {
  const [frame, start] = await Promise.all([loadAdministrator(args), readStart(args)])
  return { ...frame, ...start }
}

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function Admin({ loaderData }: Route.ComponentProps) {
  const { user, now } = loaderData
  return (
    <AdminData {...loaderData}>
      <AdminShell user={user} now={now} search={searchSources}>
        <Outlet />
      </AdminShell>
    </AdminData>
  )
}
