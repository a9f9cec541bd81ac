import { Outlet } from 'react-router'
import { AdminQueries } from '#web/components/admin-queries.tsx'
import { AdminLayout } from '#web/features/site/admin-layout.tsx'
import { loadAdministrator, uncachedHeaders, useSessionWatch } from '#web/lib/administrator.ts'
import { ProgramTimeZone } from '#web/lib/date-texts.ts'
import { SettingsProvider } from '#web/lib/settings.tsx'
import type { Route } from './+types/admin-layout'

export const headers = uncachedHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  return await loadAdministrator(context, request)
}

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function AdminLayoutPage({ loaderData }: Route.ComponentProps) {
  const { user, now, timeZone, settings } = loaderData
  useSessionWatch()
  return (
    <ProgramTimeZone value={timeZone}>
      <SettingsProvider initial={settings}>
        <AdminQueries>
          <AdminLayout user={user} now={now}>
            <Outlet />
          </AdminLayout>
        </AdminQueries>
      </SettingsProvider>
    </ProgramTimeZone>
  )
}
