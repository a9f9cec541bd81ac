import { useLocation, useNavigation } from 'react-router'
import { isCurrentItem, menuByCategory } from './menu-items.ts'
import { MenuLink } from './menu-link.tsx'

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
