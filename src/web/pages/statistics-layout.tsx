import { Outlet } from 'react-router'
import { AdminLayout } from '#web/features/shell/admin-layout.tsx'
import { loadAdministrator, uncachedHeaders, useSessionWatch } from '#web/lib/administrator.ts'
import { ProgramTimeZone } from '#web/lib/program-time.ts'
import type { Route } from './+types/statistics-layout'

export const headers = uncachedHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  return await loadAdministrator(context, request)
}

/** Other filters don't change who is signed in; an ended session shows at the next call of the API. */
export const shouldRevalidate = () => false

export default function StatisticsLayout({ loaderData }: Route.ComponentProps) {
  const { user, now, timeZone } = loaderData
  useSessionWatch()
  return (
    <ProgramTimeZone value={timeZone}>
      <AdminLayout user={user} now={now}>
        <Outlet />
      </AdminLayout>
    </ProgramTimeZone>
  )
}
