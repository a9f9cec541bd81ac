import { Outlet, redirect } from 'react-router'
import { AdminShell } from '#web/features/shell/admin-shell.tsx'
import { api, callApi, orErrorPage } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useLiveTopics } from '#web/lib/live.ts'
import { loginPath } from '#web/lib/next-path.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { pageMeta } from '#web/lib/page-meta.ts'
import { ProgramTimeZone } from '#web/lib/program-time.ts'
import { readUser } from '#web/lib/session.ts'
import { endSession } from '#web/lib/session-end.ts'
import type { Route } from './+types/admin'

export const meta = () => pageMeta({ title: 'Administration' })

/** Records stay out of every cache, and out of what the browser's Back brings to life after signing out. */
export const headers = () => ({ 'Cache-Control': 'no-store' })

/** Only a signed-in administrator gets further; others sign in first and come back to where they were going. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await orErrorPage(readUser(context, request))
  const { pathname, search } = new URL(request.url)
  if (!user) throw redirect(loginPath({ next: `${pathname}${search}` }))
  return { user, now: new Date().toISOString(), timeZone: context.get(pageContext).timeZone }
}

/** Who is signed in doesn't change from tab to tab; an ended session shows at the next call of the API. */
export const shouldRevalidate = () => false

export default function Admin({ loaderData }: Route.ComponentProps) {
  const { user, now, timeZone } = loaderData
  useLiveTopics(['session'], () => void leaveIfSignedOut())
  return (
    <ProgramTimeZone value={timeZone}>
      <AdminShell user={user} now={now}>
        <Outlet />
      </AdminShell>
    </ProgramTimeZone>
  )
}

/** Signed out elsewhere, or the password changed: the records on this screen go too. */
async function leaveIfSignedOut() {
  try {
    const { user } = await callApi(api.session.$get())
    if (!user) endSession()
  } catch (error) {
    // Not known now: the next notice asks again, as does a connection that comes back.
    if (!(error instanceof ApiProblem)) throw error
  }
}
