import { House, Menu } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'react-router'
import { IconButton } from '#web/components/button.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { Nonce } from '#web/lib/nonce.ts'
import { AdminFrame, type AdminFrameProps } from './admin-frame.tsx'
import { hideMenuScript, useHiddenMenu } from './hidden-menu.ts'
import { LayoutMenu } from './layout-menu.tsx'
import { SiteBrand } from './site-brand.tsx'

/**
 * The frame of the statistics: a side menu that can be put away, and a way home (spec §2 "Admin layout").
 * Whether the menu is put away is this device's own matter, which the server doesn't know.
 */
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
      >
        <Menu aria-hidden="true" className="size-5" />
      </IconButton>
      <Link to={adminPath} className="min-w-0 rounded-box max-sm:hidden">
        <SiteBrand />
      </Link>
      <Link
        to="/"
        className="mr-auto inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-box px-2 text-sm font-semibold hover:bg-soft sm:px-3"
      >
        <House aria-hidden="true" className="size-4.5" />
        Home
      </Link>
    </>
  )
}

/** Runs while the page is being read, so that a menu that was put away never flashes. */
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
