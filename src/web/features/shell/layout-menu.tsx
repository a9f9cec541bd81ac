import { House, Images, LayoutDashboard, Mail, Megaphone, Network, Users } from 'lucide-react'
import { useLocation, useNavigation } from 'react-router'
import { tabPath } from '#web/lib/admin-tab.ts'
import { isCurrentItem, type MenuTarget } from './menu-items.ts'
import { MenuLink } from './menu-link.tsx'

/** The items of spec §2 "Admin layout", in its order and words. */
const layoutItems: readonly MenuTarget[] = [
  { title: 'Dashboard', to: tabPath('dashboard'), Icon: LayoutDashboard },
  { title: 'Students Management', to: tabPath('students'), Icon: Users },
  { title: 'Announcements', to: tabPath('announcements'), Icon: Megaphone },
  { title: 'Slideshow Manager', to: tabPath('slideshow'), Icon: Images },
  { title: 'Organizational Chart', to: tabPath('orgchart'), Icon: Network },
  { title: 'Email System', to: tabPath('email'), Icon: Mail },
  { title: 'Back to Home', to: '/', Icon: House },
]

/** The side menu of the admin layout. @param onChoose closes the drawer that the menu lies in */
export function LayoutMenu({ onChoose }: { onChoose?: (() => void) | undefined }) {
  const location = useLocation()
  const here = useNavigation().location ?? location
  return (
    <nav aria-label="Administration">
      <ul className="flex flex-col gap-0.5">
        {layoutItems.map((item) => (
          <li key={item.to}>
            <MenuLink item={item} isCurrent={isCurrentItem(item, here)} onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </nav>
  )
}
