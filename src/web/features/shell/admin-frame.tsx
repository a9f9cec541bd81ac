import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { useNavigation } from 'react-router'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { SessionUser } from '#shared/session.ts'
import { Controls } from '#web/components/controls.tsx'
import { useProgramTimeZone } from '#web/lib/program-time.ts'
import { useSite } from '#web/lib/site.ts'
import { LiveClock } from './live-clock.tsx'
import { MaintenanceNotice } from './maintenance-notice.tsx'
import { MenuDrawer } from './menu-drawer.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { useSearchKey } from './search-key.ts'
import { SkipLink } from './skip-link.tsx'
import { type FrameName, UserMenu } from './user-menu.tsx'

export interface AdminFrameProps {
  user: SessionUser
  /** The server's time at rendering, an ISO instant. */
  now: string
  children: ReactNode
}

interface FramePartsProps extends AdminFrameProps {
  name: FrameName
  /** What the top bar begins with. @param menuId the side menu's id */
  renderBar: (menuId: string) => ReactNode
  /** The side menu, also in the drawer of narrow screens. @param onChoose closes that drawer */
  renderMenu: (onChoose?: () => void) => ReactNode
}

/** What the frames of the administrator's pages share: top bar, side menu, content and footer. */
export function AdminFrame({ user, now, name, renderBar, renderMenu, children }: FramePartsProps) {
  const { systemName, schoolName } = useSite()
  const year = calendarDateOf(new Date(now), useProgramTimeZone()).slice(0, 4)
  const menuId = useId()
  useSearchKey()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="sticky top-0 z-20 border-b bg-card print:hidden">
        <div className="flex min-h-14 items-center gap-1 px-2 sm:gap-3 sm:px-3 md:px-5">
          <Controls>
            <MenuDrawer renderMenu={renderMenu} />
            {renderBar(menuId)}
            <LiveClock now={now} />
            <NotificationBell />
            <UserMenu user={user} frame={name} />
          </Controls>
        </div>
        <LoadingLine />
      </header>
      <div className="flex flex-1">
        <aside
          id={menuId}
          className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-60 shrink-0 overflow-y-auto border-r px-3 py-5 md:block md:group-data-[menu=hidden]/frame:hidden print:hidden!"
        >
          {renderMenu()}
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <main
            id="content"
            tabIndex={-1}
            className="flex-1 px-3 py-5 outline-hidden md:px-6 md:py-6 print:p-0"
          >
            <noscript>
              <p className="mb-4 rounded-box bg-warning-soft px-4 py-3 font-medium text-warning">
                The administration needs JavaScript. Please switch it on in your browser.
              </p>
            </noscript>
            <MaintenanceNotice />
            <Controls>{children}</Controls>
          </main>
          <footer className="border-t px-3 py-4 text-sm text-muted md:px-6 print:hidden">
            © {year} <bdi>{schoolName || systemName}</bdi>. All rights reserved.
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
