import { redirect } from 'react-router'
import { orErrorPage } from '#web/lib/api.ts'
import { adminPath, loginPath } from '#web/lib/next-path.ts'
import { readUser } from '#web/lib/session.ts'
import type { Route } from './+types/dashboard'

export async function loader({ context, request }: Route.LoaderArgs) {
  const user = await orErrorPage(readUser(context, request))
  return redirect(user ? adminPath : loginPath())
}

// Never rendered: React Router answers a route without a component with bare data.
export default function Dashboard() {
  return null
}
