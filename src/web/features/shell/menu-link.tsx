import { clsx } from 'clsx'
import { Link, useLocation } from 'react-router'
import { isTabChange } from '#web/lib/admin-tab.ts'
import type { MenuTarget } from './menu-items.ts'

interface MenuLinkProps {
  item: MenuTarget
  isCurrent: boolean
  onChoose: (() => void) | undefined
}

/** A line of a side menu. */
export function MenuLink({ item, isCurrent, onChoose }: MenuLinkProps) {
  const { pathname } = useLocation()
  return (
    <Link
      to={item.to}
      replace={isTabChange(item.to, pathname)}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={onChoose}
      className={clsx(
        'flex min-h-11 items-center gap-3 rounded-box px-3 text-sm font-medium md:min-h-10',
        isCurrent ? 'bg-primary-soft text-primary' : 'text-fg hover:bg-soft',
      )}
    >
      <item.Icon aria-hidden="true" className="size-4.5" />
      {item.title}
    </Link>
  )
}
