import { House, Images, LayoutDashboard, Mail, Megaphone, Menu, Network, Users } from 'lucide-react'
import { useContext, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { IconButton } from '#web/components/button.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { Nonce } from '#web/lib/nonce.ts'
import { createStoredText } from '#web/lib/stored-text.ts'
import { AdminFrame, type AdminFrameProps } from './admin-frame.tsx'
import { MenuList, type MenuTarget } from './menu.tsx'
import { SiteBrand } from './public-frame.tsx'

/** Spec §2 "Admin layout". The menu's state is stored on the device; the server doesn't know it. */
export function AdminLayout(props: AdminFrameProps) {
  const [isHidden, setHidden] = useHiddenMenu()
  return (
    <div
      className="group/frame contents"
      data-menu={isHidden ? 'hidden' : 'shown'}
      // The script below may have put the menu away before the page's scripts arrive.
      suppressHydrationWarning
    >
      <HideMenuEarly />
      <AdminFrame
        {...props}
        name="layout"
        renderBar={(menuId) => (
          <LayoutBar menuId={menuId} isHidden={isHidden} onToggle={() => setHidden(!isHidden)} />
        )}
        renderMenu={(onChoose) => <LayoutMenu onChoose={onChoose} />}
      />
    </div>
  )
}

interface LayoutBarProps {
  menuId: string
  isHidden: boolean
  onToggle: () => void
}

function LayoutBar({ menuId, isHidden, onToggle }: LayoutBarProps) {
  return (
    <>
      <IconButton
        label="Side menu"
        size="md"
        className="max-md:hidden"
        aria-expanded={!isHidden}
        aria-controls={menuId}
        onClick={onToggle}
        icon={Menu}
      />
      <Link to={adminPath} className="min-w-0 rounded-box max-sm:hidden">
        <SiteBrand />
      </Link>
      <Link
        to="/"
        className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-box px-2 text-sm font-semibold hover:bg-soft sm:px-3"
      >
        <House className="size-4.5" />
        Home
      </Link>
    </>
  )
}

// Runs during parsing, so that a hidden menu never flashes.
function HideMenuEarly() {
  const nonce = useContext(Nonce)
  // A script that React adds in the browser wouldn't run, and isn't needed there.
  if (useHydrated()) return null
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text
      dangerouslySetInnerHTML={{ __html: hideMenuScript }}
    />
  )
}

// Order and words of spec §2 "Admin layout".
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

const key = 'nstp-side-menu'
const hidden = 'hidden'

// Where the browser forbids storage, the menu is shown.
const hideMenuScript = `try {
if (localStorage.getItem('${key}') === '${hidden}') document.currentScript.parentElement.dataset.menu = '${hidden}'
} catch {}`

const stored = createStoredText(key)

/** The server renders the menu shown. */
function useHiddenMenu(): [isHidden: boolean, setHidden: (isHidden: boolean) => void] {
  const state = useSyncExternalStore(stored.subscribe, stored.read, () => null)
  return [state === hidden, (isHidden) => stored.write(isHidden ? hidden : 'shown')]
}
