import { Outlet } from 'react-router'
import { AdminData } from '#web/components/admin-queries.tsx'
import { AdminShell } from '#web/features/site/admin-shell.tsx'
import { loadAdministrator, uncachedHeaders } from '#web/lib/administrator.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import type { Route } from './+types/admin'
import { menuItems } from './admin-tabs.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta({ title: 'Administration', site: loaderData?.settings })

export const headers = uncachedHeaders

export const loader = loadAdministrator

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function Admin({ loaderData }: Route.ComponentProps) {
  const { user, now } = loaderData
  return (
    <AdminData {...loaderData}>
      <AdminShell user={user} now={now} menu={menuItems}>
        <Outlet />
      </AdminShell>
    </AdminData>
  )
}
