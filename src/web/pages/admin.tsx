import { Outlet } from 'react-router'
import { AdminShell } from '#web/features/shell/admin-shell.tsx'
import { loadAdministrator, uncachedHeaders, useSessionWatch } from '#web/lib/administrator.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { ProgramTimeZone } from '#web/lib/program-time.ts'
import type { Route } from './+types/admin'

export const meta = () => pageMeta({ title: 'Administration' })

export const headers = uncachedHeaders

export async function loader({ context, request }: Route.LoaderArgs) {
  return await loadAdministrator(context, request)
}

/** Who is signed in doesn't change from tab to tab; an ended session shows at the next call of the API. */
export const shouldRevalidate = () => false

export default function Admin({ loaderData }: Route.ComponentProps) {
  const { user, now, timeZone } = loaderData
  useSessionWatch()
  return (
    <ProgramTimeZone value={timeZone}>
      <AdminShell user={user} now={now}>
        <Outlet />
      </AdminShell>
    </ProgramTimeZone>
  )
}
