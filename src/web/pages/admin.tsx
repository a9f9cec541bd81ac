import { Outlet } from 'react-router'
import { AdminData } from '#web/components/admin-queries.tsx'
import { AdminShell } from '#web/features/site/admin-frame.tsx'
import { loadAdministrator, uncachedHeaders } from '#web/lib/administrator.ts'
import type { Route } from './+types/admin'
import { searchSources } from './admin-tabs.tsx'

export const headers = uncachedHeaders

export const loader = loadAdministrator

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
