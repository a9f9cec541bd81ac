import { Link, useLocation } from 'react-router'
import { isTabChange } from '#web/lib/admin-tab.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { AdminFrame, type AdminFrameProps } from './admin-frame.tsx'
import { NavigationSearch } from './navigation-search.tsx'
import { SideMenu } from './side-menu.tsx'
import { SiteBrand } from './site-brand.tsx'

/** The frame of the administrator's tabs: navigation search and side menu (spec §2 "Admin dashboard"). */
export function AdminShell(props: AdminFrameProps) {
  return (
    <AdminFrame
      {...props}
      name="shell"
      renderBar={() => <ShellBar />}
      renderMenu={(onChoose) => <SideMenu onChoose={onChoose} />}
    />
  )
}

function ShellBar() {
  const { pathname } = useLocation()
  return (
    <>
      <Link
        to={adminPath}
        replace={isTabChange(adminPath, pathname)}
        className="rounded-box max-sm:hidden md:w-55"
      >
        <SiteBrand />
      </Link>
      <div className="min-w-0 flex-1">
        <NavigationSearch />
      </div>
    </>
  )
}
