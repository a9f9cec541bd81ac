import { Bell } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { isTabChange, tabPath } from '#web/lib/admin-tab.ts'
import { badgeText, bellLabel } from './bell-texts.ts'
import { useUnseenRegistrations } from './unseen-registrations.ts'

/** How many registered since the list was last looked at, and the way there: newest first, without filters. */
export function NotificationBell() {
  const { pathname } = useLocation()
  const count = useUnseenRegistrations()
  const list = tabPath('students')
  const label = bellLabel(count)
  return (
    <Link
      to={list}
      replace={isTabChange(list, pathname)}
      aria-label={label}
      title={label}
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-box text-muted hover:bg-soft hover:text-fg"
    >
      <Bell aria-hidden="true" className="size-5" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-5 rounded-full border-2 border-card bg-danger px-1 text-center text-[0.6875rem] leading-4 font-bold text-on-danger tabular-nums"
        >
          {badgeText(count)}
        </span>
      )}
    </Link>
  )
}
