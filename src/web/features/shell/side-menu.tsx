import { clsx } from 'clsx'
import { Link, useLocation, useNavigation } from 'react-router'
import { isTabChange } from '#web/lib/admin-tab.ts'
import { isCurrentItem, type MenuItem, menuByCategory } from './menu-items.ts'

/** The administrator's navigation by category. @param onChoose closes the drawer that the menu lies in */
export function SideMenu({ onChoose }: { onChoose?: (() => void) | undefined }) {
  const location = useLocation()
  const navigation = useNavigation()
  // A chosen tab is marked at once, while its data is still on the way.
  const here = navigation.location ?? location
  return (
    <nav aria-label="Administration" className="flex flex-col gap-5">
      {menuByCategory().map(([category, items]) => (
        <section key={category} aria-label={category}>
          <p
            aria-hidden="true"
            className="px-3 pb-1.5 text-xs font-semibold tracking-wide text-muted uppercase"
          >
            {category}
          </p>
          <ul className="flex flex-col gap-0.5">
            {items.map((item) => (
              <li key={item.to}>
                <MenuLink item={item} isCurrent={isCurrentItem(item, here)} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

interface MenuLinkProps {
  item: MenuItem
  isCurrent: boolean
  onChoose: (() => void) | undefined
}

function MenuLink({ item, isCurrent, onChoose }: MenuLinkProps) {
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
