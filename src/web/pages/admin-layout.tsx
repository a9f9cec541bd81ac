import { loadAdministrator, uncachedHeaders } from '#web/lib/administrator.ts'
import type { Route } from './+types/admin-layout'
import { AdminScreens } from './admin-tabs.tsx'

export const headers = uncachedHeaders

export const loader = loadAdministrator

// An ended session shows at the next call of the API.
export const shouldRevalidate = () => false

export default function AdminLayoutPage({ loaderData }: Route.ComponentProps) {
  return <AdminScreens {...loaderData} />
}
