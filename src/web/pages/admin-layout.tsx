import { Outlet } from 'react-router'
import { AdminData } from '#web/components/admin-queries.tsx'
import { AdminFrame } from '#web/features/admin/admin-frame.tsx'
import { forgetDrafts } from '#web/features/registration/draft-key.ts'
import { loadAdministrator, uncachedHeaders } from '#web/lib/administrator.ts'
import type { Route } from './+types/admin-layout'
import { searchSources } from './admin-tabs.tsx'

export const headers = uncachedHeaders

export const loader = loadAdministrator

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function AdminLayoutPage({ loaderData }: Route.ComponentProps) {
  const { user, now } = loaderData
  return (
    <AdminData {...loaderData}>
      <AdminFrame user={user} now={now} search={searchSources} forget={forgetDrafts}>
        <Outlet />
      </AdminFrame>
    </AdminData>
  )
}
