import { ChevronDown, CircleHelp, LogOut, Settings, UserRound } from 'lucide-react'
import { useRef } from 'react'
import { useLocation } from 'react-router'
import { nstpLawAddress } from '#shared/law.ts'
import type { SessionUser } from '#shared/session.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Avatar } from '#web/components/avatar.tsx'
import { Menu } from '#web/components/menu.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { type AdminTab, isTabChange, tabPath } from '#web/lib/admin-tab.ts'
import { api } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { loginPath } from '#web/lib/next-path.ts'

/** What the two frames call the same things (spec §2 "Admin dashboard" and "Admin layout"). */
const words = {
  shell: { systemSettings: 'System Settings', signOut: 'Logout' },
  layout: { systemSettings: 'Preferences', signOut: 'Sign Out' },
} as const

export type FrameName = keyof typeof words

interface UserMenuProps {
  user: SessionUser
  /** The frame that the menu stands in. */
  frame: FrameName
}

/** Who is signed in, the screens about that, and the way out. */
export function UserMenu({ user, frame }: UserMenuProps) {
  const place = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const tabLink = (tab: AdminTab) => {
    const to = tabPath(tab)
    return { to, replace: isTabChange(to, pathname) }
  }
  return (
    <div ref={place}>
      <Menu
        within={place}
        trigger={
          <button
            type="button"
            aria-label={`User menu of ${user.displayName}`}
            className="flex min-h-11 shrink-0 items-center gap-2 rounded-box px-1.5 hover:bg-soft"
          >
            <Avatar email={user.email} />
            <ChevronDown aria-hidden="true" className="size-4 text-muted max-sm:hidden" />
          </button>
        }
        heading={
          <>
            <span className="block font-semibold">{user.displayName}</span>
            <span className="block wrap-anywhere text-muted">
              <AddressText text={user.email} />
            </span>
          </>
        }
        entries={[
          {
            label: 'Profile Settings',
            icon: <UserRound aria-hidden="true" className="size-4" />,
            ...tabLink('profile-settings'),
          },
          {
            label: words[frame].systemSettings,
            icon: <Settings aria-hidden="true" className="size-4" />,
            ...tabLink('system-settings'),
          },
          {
            label: 'Help & Support',
            icon: <CircleHelp aria-hidden="true" className="size-4" />,
            href: nstpLawAddress,
          },
          {
            label: words[frame].signOut,
            icon: <LogOut aria-hidden="true" className="size-4" />,
            onSelect: () => void signOut(),
          },
        ]}
      />
    </div>
  )
}

async function signOut() {
  try {
    await api.session.$delete()
    // A document load: nothing that was read under the session stays in the tab's memory.
    window.location.assign(loginPath())
  } catch (error) {
    // Still signed in: on a shared computer that must not look like the opposite.
    showToast({ type: 'error', message: `You are still signed in. ${sentenceOf(error)}` })
  }
}
