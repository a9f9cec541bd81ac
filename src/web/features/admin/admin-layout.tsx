import { House, Images, LayoutDashboard, Mail, Megaphone, Network, Users } from 'lucide-react'
import { tabPath } from '#web/lib/admin-tab.ts'
import { AdminFrame, type AdminFrameProps } from './admin-frame.tsx'
import { MenuList, type MenuTarget } from './menu.tsx'

/** The frame of the screens outside `/admin` (product 8.4). */
export function AdminLayout(props: AdminFrameProps) {
  return <AdminFrame {...props} name="layout" renderMenu={(onChoose) => <LayoutMenu onChoose={onChoose} />} />
}

const layoutItems: readonly MenuTarget[] = [
  { title: 'Dashboard', to: tabPath('dashboard'), Icon: LayoutDashboard },
  { title: 'Students Management', to: tabPath('students'), Icon: Users },
  { title: 'Announcements', to: tabPath('announcements'), Icon: Megaphone },
  { title: 'Slideshow Manager', to: tabPath('slideshow'), Icon: Images },
  { title: 'Organizational Chart', to: tabPath('orgchart'), Icon: Network },
  { title: 'Email System', to: tabPath('email'), Icon: Mail },
  { title: 'Back to Home', to: '/', Icon: House },
]

function LayoutMenu({ onChoose }: { onChoose?: (() => void) | undefined }) {
  return (
    <nav aria-label="Administration">
      <MenuList items={layoutItems} onChoose={onChoose} />
    </nav>
  )
}
