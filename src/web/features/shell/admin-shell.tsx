import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { SessionUser } from '#shared/session.ts'
import { Brand } from '#web/components/brand.tsx'
import { isTabChange } from '#web/lib/admin-tab.ts'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { LiveClock } from './live-clock.tsx'
import { MenuDrawer } from './menu-drawer.tsx'
import { NavigationSearch } from './navigation-search.tsx'
import { useSearchKey } from './search-key.ts'
import { SideMenu } from './side-menu.tsx'
import { SkipLink } from './skip-link.tsx'
import { UserMenu } from './user-menu.tsx'

interface AdminShellProps {
  user: SessionUser
  /** The server's time at rendering, an ISO instant. */
  now: string
  children: ReactNode
}

/** The frame of the administrator's pages: top bar, side menu, footer (spec §2 "Admin dashboard"). */
export function AdminShell({ user, now, children }: AdminShellProps) {
  const { pathname } = useLocation()
  useSearchKey()
  const year = calendarDateOf(new Date(now), useProgramTimeZone()).slice(0, 4)
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-20 border-b bg-card print:hidden">
        <div className="flex min-h-14 items-center gap-3 px-3 md:px-5">
          <MenuDrawer />
          <Link
            to="/admin"
            replace={isTabChange('/admin', pathname)}
            className="rounded-box max-sm:hidden md:w-55"
          >
            <Brand />
          </Link>
          <div className="min-w-0 flex-1">
            <NavigationSearch />
          </div>
          <LiveClock now={now} />
          <UserMenu user={user} frame="shell" />
        </div>
        <LoadingLine />
      </header>
      <div className="flex flex-1">
        <aside className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-60 shrink-0 overflow-y-auto border-r px-3 py-5 md:block print:hidden">
          <SideMenu />
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <main id="content" tabIndex={-1} className="flex-1 px-3 py-5 outline-hidden md:px-6 md:py-6">
            <noscript>
              <p className="mb-4 rounded-box bg-warning-soft px-4 py-3 font-medium text-warning">
                The administration needs JavaScript. Please switch it on in your browser.
              </p>
            </noscript>
            {children}
          </main>
          <footer className="border-t px-3 py-4 text-sm text-muted md:px-6 print:hidden">
            © {year} NSTP Portal. All rights reserved.
          </footer>
        </div>
      </div>
    </div>
  )
}

/** Tells that a page is on its way; laid over the edge, so that nothing moves. */
function LoadingLine() {
  const { state } = useNavigation()
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'absolute inset-x-0 -bottom-px h-0.5 animate-pulse bg-primary',
        state === 'idle' && 'hidden',
      )}
    />
  )
}
