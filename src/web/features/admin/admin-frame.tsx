import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Bell, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Link, useLocation, useNavigation } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import { calendarDateOf, perZone } from '#shared/program-calendar.ts'
import { SiteBrand } from '#web/components/brand.tsx'
import { Controls } from '#web/components/controls.tsx'
import { SkipLink } from '#web/components/skip-link.tsx'
import { startPathOf, useAccount } from '#web/lib/account.ts'
import { helpPathOf, isTabChange, permissionAt, tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useHydrated } from '#web/lib/hydrated.ts'
import { adminPath, secondFactorPath } from '#web/lib/next-path.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { isShown } from '#web/lib/older-browsers.ts'
import { timeLeft, useNow } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { useSite } from '#web/lib/site.ts'
import { runAfter } from '#web/lib/timers.ts'
import {
  findMenuItems,
  isCurrentItem,
  type Leaving,
  type MenuItem,
  MenuList,
  menuByCategory,
  SearchFrame,
  searchInput,
  UserMenu,
  useOpenItem,
  useOpenItems,
} from './menu.tsx'
import type { SearchSources } from './quick-search.tsx'
import { HideMenuEarly, MenuDrawer, SideMenuToggle, useHiddenMenu } from './side-menu.tsx'

export interface AdminFrameProps {
  user: SessionUser
  now: string
  search: SearchSources
  leaving: Leaving
  children: ReactNode
}

/** The one frame of the office's screens (product 8.2). */
export function AdminFrame({ user, now, search, leaving, children }: AdminFrameProps) {
  const { systemName, schoolName } = useSite()
  const { pathname } = useLocation()
  const year = calendarDateOf(new Date(now), useProgramTimeZone()).slice(0, 4)
  const account = useAccount()
  const { can } = account
  const start = startPathOf(account)
  const menuId = useId()
  const [isMenuHidden] = useHiddenMenu()
  useSearchKeys()
  useHelpKey()
  const renderMenu = (onChoose?: () => void) => <SideMenu menu={search.menu} onChoose={onChoose} />
  return (
    <div
      className="group/frame flex min-h-dvh flex-col"
      data-menu={isMenuHidden ? 'hidden' : 'shown'}
      // The script below may have put the menu away before the page's scripts arrive.
      suppressHydrationWarning
    >
      <HideMenuEarly />
      <SkipLink />
      <header data-top-bar="" className="@container sticky top-0 z-20 border-b bg-card print:hidden">
        {/* By the room for its text: large text has the bar of a phone. */}
        <div className="flex min-h-14 flex-wrap items-center gap-1 px-[8px] @min-[36rem]:gap-3 @min-[36rem]:px-3 @min-[48rem]:px-5">
          <Controls>
            <MenuDrawer renderMenu={renderMenu} />
            <SideMenuToggle menuId={menuId} />
            <Link
              to={start}
              replace={isTabChange(start, pathname)}
              className="min-w-0 rounded-box @max-[36rem]:hidden"
            >
              <SiteBrand />
            </Link>
            <div className="min-w-0 flex-1 @max-[16rem]:order-last @max-[16rem]:basis-full @max-[16rem]:pb-1">
              {can('students.read') && <TopSearch {...search} />}
            </div>
            <LiveClock now={now} />
            {can('students.read') && <NotificationBell />}
            <UserMenu user={user} leaving={leaving} />
          </Controls>
        </div>
        <LoadingLine />
      </header>
      <div className="flex flex-1">
        <aside
          id={menuId}
          className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] w-[min(15rem,max(240px,30vw))] shrink-0 overflow-y-auto border-r px-[12px] py-5 md:block md:group-data-[menu=hidden]/frame:hidden print:hidden!"
        >
          {renderMenu()}
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <main
            id="content"
            tabIndex={-1}
            className="flex-1 px-[12px] py-5 outline-hidden md:px-[24px] md:py-6 print:p-0"
          >
            <noscript>
              <p className="mb-4 rounded-box bg-warning-soft px-4 py-3 font-medium text-warning">
                The admin area needs JavaScript. Please turn it on in your browser.
              </p>
            </noscript>
            <ClosedNotice />
            <TwoFactorNotice user={user} now={now} />
            <Controls>
              <Screen menu={search.menu}>{children}</Screen>
            </Controls>
          </main>
          <footer className="border-t px-3 py-4 text-sm text-muted md:px-6 print:hidden">
            © {year} <bdi>{schoolName || systemName}</bdi>. All rights reserved.
          </footer>
        </div>
      </div>
    </div>
  )
}

/** The search of the top bar until it is first used: then its list is loaded. */
function TopSearch(sources: SearchSources) {
  const [text, setText] = useState('')
  const [isWanted, setWanted] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const open = useOpenItem()
  const openItems = useOpenItems()
  const { data: loaded } = useQuery({
    queryKey: ['settings', 'quick-search'],
    queryFn: () => import('./quick-search.tsx'),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (loaded) {
    const isFocused = input.current !== null && input.current === document.activeElement
    return <loaded.QuickSearch {...sources} typed={text} isFocused={isFocused} />
  }
  // Enter may be faster than the list.
  function goToFirst() {
    const [item] = findMenuItems(text, openItems(sources.menu))
    if (!item) return
    setText('')
    open(item)
  }

  return (
    <SearchFrame
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onBlur={() => setWanted(false)}
    >
      <input
        {...searchInput}
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={false}
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && goToFirst()}
      />
    </SearchFrame>
  )
}

/** Says so at the address of a screen that this account's menu doesn't have. */
function Screen({ menu, children }: { menu: readonly MenuItem[]; children: ReactNode }) {
  const here = useLocation()
  if (useAccount().can(permissionAt(here.pathname + here.search))) return children
  return (
    <>
      <h1 className="text-2xl font-bold tracking-tight">
        {menu.find((item) => isCurrentItem(item, here))?.title ?? 'No access'}
      </h1>
      <p className="mt-4">Your account can't open this screen. Please ask an administrator of your office.</p>
    </>
  )
}

function SideMenu({ menu, onChoose }: { menu: readonly MenuItem[]; onChoose?: (() => void) | undefined }) {
  return (
    <nav aria-label="Administration" className="flex flex-col gap-5">
      {menuByCategory(useOpenItems()(menu)).map(([category, items]) => (
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

// Laid over the edge, so that nothing moves.
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

function ClosedNotice() {
  const { state, message } = useSettings().enlistment
  const { can } = useAccount()
  if (state !== 'closed') return null
  return (
    <Notice
      label="Enlistment"
      {...(can('settings') && { to: `${tabPath('system-settings')}#enlistment`, action: 'Open enlistment' })}
    >
      <span className="font-bold">Enlistment is closed.</span> Students see: <bdi>{message}</bdi>
    </Notice>
  )
}

/** @param now the server's time at rendering */
function TwoFactorNotice({ user, now }: { user: SessionUser; now: string }) {
  const isRequired = useSettings().twoFactorRequired !== 'nobody'
  const { data } = useQuery({
    queryKey: ['session', 'due'],
    meta: { topics: ['settings'] },
    queryFn: async ({ signal }) => {
      const current = await callApi(api.session.$get(undefined, { init: { signal } }))
      return current.user?.secondFactorDue ?? null
    },
    initialData: user.secondFactorDue ?? null,
    enabled: isRequired,
  })
  const isHydrated = useHydrated()
  const present = useNow(data)
  if (!isRequired || data === null) return null
  const left = timeLeft(data, isHydrated ? present : new Date(now))
  return (
    <Notice label="Required sign-in" to={secondFactorPath} action="Set up">
      <span className="font-bold">Your school requires two-factor sign-in.</span>{' '}
      {left === null ? 'Set it up to continue.' : `You have ${left} to set it up.`}
    </Notice>
  )
}

interface NoticeProps {
  label: string
  /** Absent for who can't do anything about it. */
  to?: string
  action?: string
  children: ReactNode
}

function Notice({ label, to, action, children }: NoticeProps) {
  const { pathname } = useLocation()
  return (
    <section
      aria-label={label}
      className="mb-4 flex flex-wrap items-start gap-3 rounded-box bg-warning-soft px-4 py-3 text-warning print:hidden"
    >
      <TriangleAlert className="mt-0.5 size-5 shrink-0" />
      <p className="line-clamp-4 min-w-0 flex-1 basis-40 wrap-anywhere">{children}</p>
      {to !== undefined && (
        <Link
          to={to}
          replace={isTabChange(to, pathname)}
          className="-my-2.5 ml-auto inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {action}
        </Link>
      )}
    </section>
  )
}

const fields =
  'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select, [contenteditable]'

const quickSearch = 'header input[aria-keyshortcuts="Control+K"]'

/** `/` focuses the list's search, Ctrl K or ⌘ K that of the top bar. Not under a dialog; `/` not in a field. */
function useSearchKeys(): void {
  useEffect(() => {
    function focusSearch(event: KeyboardEvent) {
      const selectors = searchesFor(event)
      if (selectors.length === 0 || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      const search = selectors
        .flatMap((selector) => [...document.querySelectorAll<HTMLInputElement>(selector)])
        .find(isShown)
      if (!search) return
      event.preventDefault()
      search.focus()
      search.select()
    }
    document.addEventListener('keydown', focusSearch)
    return () => document.removeEventListener('keydown', focusSearch)
  }, [])
}

function searchesFor({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): string[] {
  const hasControl = ctrlKey || metaKey
  if (hasControl && !altKey && key.toLowerCase() === 'k') return [quickSearch]
  if (hasControl || altKey || key !== '/' || isTyping(target)) return []
  return ['main input[aria-keyshortcuts="/"]', quickSearch]
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(fields) !== null
}

/** `?` opens the guide beside the screen, so that a dialog or a form stays as it is. */
function useHelpKey(): void {
  useEffect(() => {
    function openHelp({ key, ctrlKey, metaKey, target }: KeyboardEvent) {
      if (key === '?' && !ctrlKey && !metaKey && !isTyping(target))
        window.open(helpPathOf(window.location), 'nstp-help')?.focus()
    }
    // A dialog stops the event before it gets here.
    document.addEventListener('keydown', openHelp, true)
    return () => document.removeEventListener('keydown', openHelp, true)
  }, [])
}

function NotificationBell() {
  const { pathname } = useLocation()
  const count = useUnseenRegistrations()
  const list = tabPath('students')
  const label = bellLabel(count)
  return (
    <Link
      to={list}
      replace={isTabChange(list, pathname)}
      aria-label={label}
      title={label}
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-box text-muted hover:bg-soft hover:text-fg"
    >
      <Bell className="size-5" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0 min-w-5 rounded-full border-2 border-card bg-danger px-1 text-center text-[0.6875rem] leading-4 font-bold text-on-danger tabular-nums"
        >
          {badgeText(count)}
        </span>
      )}
    </Link>
  )
}

const maxShown = 99
// The server's count ends here.
const mostCounted = 1_000

export function badgeText(count: number): string {
  return count > maxShown ? `${maxShown}+` : String(count)
}

export function bellLabel(count: number): string {
  if (count === 0) return 'Notifications: no new registrations'
  const counted =
    count < mostCounted
      ? countOf(count, 'new registration')
      : `${figureText(count)} or more new registrations`
  return `Notifications: ${counted}`
}

// In ms (product 8.3).
const refreshMs = 60_000

/** @param now the server's time at rendering, so that both sides render the same first minute */
function LiveClock({ now }: { now: string }) {
  const timeZone = useProgramTimeZone()
  const [instant, setInstant] = useState(() => new Date(now))

  useEffect(() => setInstant(new Date()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each tick sets the next one, at a full minute
  useEffect(() => runAfter(refreshMs - (Date.now() % refreshMs), () => setInstant(new Date())), [instant])

  const { time, date } = clockTexts(instant, timeZone)
  return (
    <time
      dateTime={instant.toISOString()}
      className="text-right leading-tight tabular-nums @max-[14rem]:hidden"
    >
      <span className="block text-sm font-semibold whitespace-nowrap">{time}</span>
      {/* A phone needs the room for the search. */}
      <span className="block text-xs whitespace-nowrap text-muted @max-[44rem]:hidden">{date}</span>
    </time>
  )
}

const formats = perZone((timeZone) => ({
  time: new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit', hour12: true }),
  date: new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full' }),
}))

/** '3:07 PM' and 'Friday, November 20, 2026', in the program's time zone. */
export function clockTexts(instant: Date, timeZone: string): { time: string; date: string } {
  const { time, date } = formats(timeZone)
  return {
    // The space before AM/PM is a narrow one in newer ICU versions: an ordinary one keeps server and browser equal.
    time: time.format(instant).replace(/\s/gu, ' '),
    date: date.format(instant),
  }
}

// BroadcastChannel to the browser's other tabs.
const seenChannel = 'nstp-students-seen'

/** While the list is open and visible, new registrations count as seen. */
function useUnseenRegistrations(): number {
  const { pathname, search } = useLocation()
  const isListOpen = pathname === adminPath && tabOf(search) === 'students'
  const channel = useRef<BroadcastChannel>(null)
  const isSeenHere = () => isListOpen && !document.hidden

  const { data: count = 0, refetch } = useQuery({
    queryKey: ['students', 'unseen'],
    queryFn: async ({ signal }) => {
      const init = { init: { signal } }
      if (!isSeenHere()) return (await callApi(api.students.unseen.$get(undefined, init))).count
      await api.students.seen.$put(undefined, init)
      channel.current?.postMessage(null)
      return 0
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: opening and leaving the list both ask again
  useEffect(() => void refetch(), [isListOpen])

  const onSeenElsewhere = useEffectEvent(() => {
    // Two lists side by side would answer each other for ever.
    if (!isSeenHere()) void refetch()
  })
  useEffect(() => {
    const own = new BroadcastChannel(seenChannel)
    own.addEventListener('message', () => onSeenElsewhere())
    channel.current = own
    return () => own.close()
  }, [])
  return count
}
