import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, CircleHelp, LogOut, type LucideIcon, Search, Settings, UserRound } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Link, type Path, parsePath, useLocation, useNavigate, useNavigation } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import type { Permission } from '#shared/people/permissions.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { Avatar } from '#web/components/avatar.tsx'
import { Menu } from '#web/components/menu.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { type Account, useAccount } from '#web/lib/account.ts'
import {
  type AdminTab,
  helpPath,
  isTabChange,
  markedTabOf,
  permissionAt,
  tabOf,
  tabPath,
} from '#web/lib/admin-tab.ts'
import { api } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { adminPath, loginPath } from '#web/lib/next-path.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { changeOwnSession } from '#web/lib/session-end.ts'

interface MenuListProps {
  items: readonly MenuTarget[]
  onChoose: (() => void) | undefined
}

/** A chosen item is marked at once, while its data is loading. */
export function MenuList({ items, onChoose }: MenuListProps) {
  const location = useLocation()
  const here = useNavigation().location ?? location
  const address = here.pathname + here.search + here.hash
  const { can } = useAccount()
  const open = items.filter(({ to }) => can(permissionAt(to)))
  const current = open.find(({ to }) => to === address) ?? open.find((item) => isCurrentItem(item, here))
  return (
    <ul className="flex flex-col gap-0.5">
      {open.map((item) => (
        <li key={item.to}>
          <Link
            to={item.to}
            replace={isTabChange(item.to, location.pathname)}
            aria-current={item === current ? 'page' : undefined}
            onClick={onChoose}
            onPointerEnter={item.loadAhead}
            className="flex min-h-11 items-center gap-[12px] rounded-box px-[12px] text-sm font-medium text-fg hover:bg-soft aria-[current=page]:bg-primary-soft aria-[current=page]:text-primary md:min-h-10"
          >
            <item.Icon className="size-4.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">{item.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

export interface MenuTarget {
  title: string
  to: string
  Icon: LucideIcon
  /** Loads the screen's scripts before it is pressed. */
  loadAhead?: () => void
}

export interface MenuItem extends MenuTarget {
  category: string
  /** Other words it is searched by. */
  words?: string
  note?: string
  /** A permission that is needed besides that of the address. */
  needs?: Permission
  /** The component of its students, if the item is about one. */
  component?: string | undefined
}

/** Leaves out the items that this account would be refused. */
export function useOpenItems(): (items: readonly MenuItem[]) => MenuItem[] {
  const { can, includes } = useAccount()
  return (items) =>
    items.filter(
      ({ to, needs = 'signed-in', component }) =>
        can(permissionAt(to)) && can(needs) && (!component || includes(component)),
    )
}

export function menuByCategory(items: readonly MenuItem[]): [string, MenuItem[]][] {
  const categories = new Map<string, MenuItem[]>()
  for (const item of items) categories.set(item.category, [...(categories.get(item.category) ?? []), item])
  return [...categories]
}

/** Whether the item's screen is open. On /admin only the `tab` parameter decides. */
export function isCurrentItem({ to }: Pick<MenuTarget, 'to'>, here: Pick<Path, 'pathname' | 'search'>) {
  const { pathname = '', search = '' } = parsePath(to)
  return pathname === here.pathname && (pathname !== adminPath || tabOf(search) === markedTabOf(here.search))
}

/** Items with all words of a text, in any order; none for a blank one. */
export function findMenuItems(text: string, items: readonly MenuItem[]): MenuItem[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  return items.filter(({ title, category, words = '' }) => {
    const searched = `${title} ${category} ${words}`.toLowerCase()
    return wanted.every((word) => searched.includes(word))
  })
}

/** Opens a found item. */
export function useOpenItem() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  return ({ to }: MenuTarget) =>
    void navigate(to, { replace: isTabChange(to, pathname) && !to.includes('student=') })
}

/** What an account leaves on the device when it signs out. */
export interface Leaving {
  /** Counts what was not sent yet, of an account. */
  countWaiting: (account: Pick<Account, 'id' | 'can'>) => Promise<number>
  /** Called after signing out: deletes what was typed and read under the session. */
  forget: () => Promise<void>
}

interface UserMenuProps {
  user: SessionUser
  leaving: Leaving
}

export function UserMenu({ user, leaving: { countWaiting, forget } }: UserMenuProps) {
  const { pathname } = useLocation()
  const account = useAccount()
  const { can } = account
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<number | null>(null)
  const leave = () => void signOut(queries, forget)
  async function askAndLeave() {
    const count = await countWaiting(account)
    if (count > 0) setWaiting(count)
    else leave()
  }
  const tabLink = (tab: AdminTab) => {
    const to = tabPath(tab)
    return { to, replace: isTabChange(to, pathname) }
  }
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={`User menu of ${user.displayName}`}
            className="flex min-h-11 shrink-0 items-center gap-2 rounded-box px-1.5 hover:bg-soft"
          >
            <Avatar email={user.email} />
            <ChevronDown className="size-4 text-muted max-sm:hidden" />
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
          { label: 'Profile Settings', icon: UserRound, ...tabLink('profile-settings') },
          ...(can('settings')
            ? [{ label: 'System Settings', icon: Settings, ...tabLink('system-settings') }]
            : []),
          { label: 'Help & Support', icon: CircleHelp, href: helpPath },
          { label: 'Logout', icon: LogOut, onSelect: () => void askAndLeave() },
        ]}
      />
      <QuestionModal
        title="Sign out before your calls are sent?"
        thing={waiting}
        words={() => ({ confirm: 'Sign out', dismiss: 'Stay signed in' })}
        onConfirm={() => {
          setWaiting(null)
          leave()
        }}
        onClose={() => setWaiting(null)}
      >
        {waitingText}
      </QuestionModal>
    </>
  )
}

const waitingText = (count: number) =>
  `${countOf(count, 'call')} of your roll not sent. Calls that wait stay on this phone, without names, and nobody else can send them: sign in here again, and open Roll.`

async function signOut(queries: QueryClient, forget: Leaving['forget']) {
  try {
    await changeOwnSession(async () => {
      // The answers of reads under way would be refusals; reads that begin now wait until the session has changed.
      await queries.cancelQueries()
      await api.session.$delete()
      await forget()
      // A document load: nothing that was read under the session stays in the tab's memory.
      window.location.assign(loginPath())
      // The notice of the ended session waits until the page is left. It would lead to the login with another sentence.
      await Promise.race<never>([])
    })
  } catch (error) {
    // A failure must not look like a sign-out, because the computer may be shared.
    showToast('error', `You are still signed in. ${sentenceOf(error)}`)
    await queries.invalidateQueries()
  }
}

/** The frame around the top bar's search. */
export function SearchFrame({ children, ...handlers }: ComponentProps<'search'>) {
  return (
    <search
      {...handlers}
      // The search covers the bar of a phone while it is used.
      className="relative block w-full max-w-sm max-sm:focus-within:fixed max-sm:focus-within:inset-x-2 max-sm:focus-within:top-2 max-sm:focus-within:z-30 max-sm:focus-within:w-auto max-sm:focus-within:max-w-none max-sm:focus-within:bg-card"
    >
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted max-sm:left-2"
      />
      {children}
    </search>
  )
}

export const searchInput = {
  'aria-label': 'Search students, screens and settings',
  'aria-keyshortcuts': 'Control+K',
  placeholder: 'Search…',
  enterKeyHint: 'go',
  spellCheck: false,
  className: 'control min-h-9 pl-9! text-sm max-md:text-base max-sm:pr-1! max-sm:pl-7.5!',
} as const
