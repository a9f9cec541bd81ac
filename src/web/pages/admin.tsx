import { Outlet } from 'react-router'
import { AdminQueries } from '#web/components/admin-queries.tsx'
import { AdminShell } from '#web/features/site/admin-shell.tsx'
import { loadAdministrator, uncachedHeaders, useSessionWatch } from '#web/lib/administrator.ts'
import { ProgramTimeZone } from '#web/lib/date-texts.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { SettingsProvider } from '#web/lib/settings.tsx'
import type { Route } from './+types/admin'
import { menuItems } from './admin-tabs.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta({ title: 'Administration', site: loaderData?.settings })

export const headers = uncachedHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  return await loadAdministrator(context, request)
}

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function Admin({ loaderData }: Route.ComponentProps) {
  const { user, now, timeZone, settings } = loaderData
  useSessionWatch()
  return (
    <ProgramTimeZone value={timeZone}>
      <SettingsProvider initial={settings}>
        <AdminQueries>
          <AdminShell user={user} now={now} menu={menuItems}>
            <Outlet />
          </AdminShell>
        </AdminQueries>
      </SettingsProvider>
    </ProgramTimeZone>
  )
}
