import { Link, useLocation } from 'react-router'
import { isTabChange } from '#web/lib/admin-tab.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { AdminFrame, type AdminFrameProps } from './admin-frame.tsx'
import { type MenuItem, MenuList, menuByCategory } from './menu.tsx'
import { SiteBrand } from './public-frame.tsx'

/** Spec §2 "Admin dashboard". */
export function AdminShell(props: AdminFrameProps) {
  const { menu } = props.search
  return (
    <AdminFrame
      {...props}
      name="shell"
      renderBar={() => <ShellBar />}
      renderMenu={(onChoose) => <SideMenu menu={menu} onChoose={onChoose} />}
    />
  )
}

function ShellBar() {
  const { pathname } = useLocation()
  return (
    <Link
      to={adminPath}
      replace={isTabChange(adminPath, pathname)}
      className="rounded-box max-sm:hidden lg:w-55"
    >
      <SiteBrand />
    </Link>
  )
}

function SideMenu({ menu, onChoose }: { menu: readonly MenuItem[]; onChoose?: (() => void) | undefined }) {
  return (
    <nav aria-label="Administration" className="flex flex-col gap-5">
      {menuByCategory(menu).map(([category, items]) => (
        <section key={category} aria-label={category}>
          <p
            aria-hidden="true"
            className="px-3 pb-1.5 text-xs font-semibold tracking-wide text-muted uppercase"
          >
            {category}
          </p>
          <MenuList items={items} onChoose={onChoose} />
        </section>
      ))}
    </nav>
  )
}
