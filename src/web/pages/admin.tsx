import { Outlet, redirect } from 'react-router'
import { AdminShell } from '#web/features/shell/admin-shell.tsx'
import { useLiveRevalidation } from '#web/lib/live-revalidation.ts'
import { loginPath } from '#web/lib/next-path.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { readUser } from '#web/lib/session.ts'
import type { Route } from './+types/admin'

export const meta = () => pageMeta({ title: 'Administration' })

/** Only a signed-in administrator gets further; others sign in first and come back to where they were going. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await readUser(context, request)
  const { pathname, search } = new URL(request.url)
  if (!user) throw redirect(loginPath({ next: `${pathname}${search}` }))
  return { user, now: new Date().toISOString() }
}

export default function Admin({ loaderData }: Route.ComponentProps) {
  return (
    <AdminShell user={loaderData.user} now={loaderData.now} timeZone="Asia/Manila">
      <Outlet />
    </AdminShell>
  )
}
