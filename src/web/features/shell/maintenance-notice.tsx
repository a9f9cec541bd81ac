import { TriangleAlert } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { isTabChange, tabPath } from '#web/lib/admin-tab.ts'
import { useSite } from '#web/lib/site.ts'

/** Reminds the administrator, on every screen, that nobody can enlist. */
export function MaintenanceNotice() {
  const { maintenance } = useSite()
  const { pathname } = useLocation()
  const settings = tabPath('system-settings')
  if (maintenance === null) return null
  return (
    <section
      aria-label="Maintenance mode"
      className="mb-4 flex items-start gap-3 rounded-box bg-warning-soft px-4 py-3 text-warning print:hidden"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <p className="line-clamp-4 min-w-0 wrap-anywhere">
        <span className="font-bold">Maintenance mode is on: registration is closed.</span> Registrants read:{' '}
        <bdi>{maintenance}</bdi>
      </p>
      <Link
        to={settings}
        replace={isTabChange(settings, pathname)}
        className="-my-2.5 ml-auto inline-flex min-h-11 shrink-0 items-center font-semibold underline underline-offset-4"
      >
        Settings
      </Link>
    </section>
  )
}
