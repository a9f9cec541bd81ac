import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { isTabChange } from '#web/lib/admin-tab.ts'
import { adminPath } from '#web/lib/next-path.ts'
import { AdminFrame, type AdminFrameProps } from './admin-frame.tsx'
import { findMenuItems, type MenuItem, MenuList, menuByCategory } from './menu.tsx'
import { SiteBrand } from './public-frame.tsx'

/** Spec §2 "Admin dashboard". */
export function AdminShell({ menu, ...props }: AdminFrameProps & { menu: readonly MenuItem[] }) {
  return (
    <AdminFrame
      {...props}
      name="shell"
      renderBar={() => <ShellBar menu={menu} />}
      renderMenu={(onChoose) => <SideMenu menu={menu} onChoose={onChoose} />}
    />
  )
}

function ShellBar({ menu }: { menu: readonly MenuItem[] }) {
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
        <NavigationSearch menu={menu} />
      </div>
    </>
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

const dropdownClass = 'absolute top-full right-0 left-0 z-30 mt-1 rounded-box border bg-card p-1 shadow-card'

/** Enter opens the first match or the chosen suggestion. */
function NavigationSearch({ menu }: { menu: readonly MenuItem[] }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const listId = useId()
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [isOpen, setIsOpen] = useState(false)
  const found = findMenuItems(text, menu)
  const hasNoMatch = isOpen && text.trim() !== '' && found.length === 0
  const isExpanded = isOpen && found.length > 0
  const optionId = (index: number) => `${listId}-${index}`

  function type(value: string) {
    setText(value)
    setActive(0)
    setIsOpen(true)
  }

  function go(item: MenuItem | undefined) {
    if (!item) return
    type('')
    void navigate(item.to, { replace: isTabChange(item.to, pathname) })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') type('')
    if (!isExpanded) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setActive((active + step + found.length) % found.length)
  }

  return (
    <search className="relative w-full max-w-sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(found[active])
        }}
      >
        <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted" />
        <input
          type="text"
          role="combobox"
          aria-label="Search navigation"
          aria-autocomplete="list"
          aria-expanded={isExpanded}
          aria-controls={listId}
          aria-activedescendant={isExpanded ? optionId(active) : undefined}
          placeholder="Go to…"
          autoComplete="off"
          enterKeyHint="go"
          aria-keyshortcuts="/"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => setIsOpen(false)}
          onFocus={() => setIsOpen(true)}
          className="control min-h-9 pl-9! text-sm"
        />
      </form>
      <div
        id={listId}
        role="listbox"
        aria-label="Matching pages"
        className={clsx(dropdownClass, !isExpanded && 'hidden')}
      >
        {found.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, as in every combobox
          <div
            key={item.to}
            id={optionId(index)}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The press must not take the focus away before the click arrives.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(item)}
            onMouseEnter={() => setActive(index)}
            className="flex min-h-9 cursor-pointer items-center gap-3 rounded-box px-3 text-sm aria-selected:bg-soft"
          >
            <item.Icon className="size-4 text-muted" />
            {item.title}
            <span className="ml-auto text-xs text-muted">{item.category}</span>
          </div>
        ))}
      </div>
      {/* Always rendered: a status is read out only when it changes. */}
      <p
        role="status"
        className={clsx(hasNoMatch && dropdownClass, hasNoMatch && 'px-4! py-3! text-sm text-muted')}
      >
        {hasNoMatch && 'No matching menu items.'}
      </p>
    </search>
  )
}
