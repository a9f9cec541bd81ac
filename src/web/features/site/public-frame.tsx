import { clsx } from 'clsx'
import { Menu } from 'lucide-react'
import { useContext, useEffect } from 'react'
import { Link, NavLink, useLocation, useNavigation } from 'react-router'
import type { SessionUser } from '#shared/auth/session.ts'
import { myPath } from '#shared/my/my-path.ts'
import { callToAction } from '#shared/site/calls-to-action.ts'
import { type Language, languageNames } from '#shared/site/language.ts'
import { Avatar } from '#web/components/avatar.tsx'
import { SiteBrand } from '#web/components/brand.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { withQuery } from '#web/lib/next-path.ts'
import { useEnlistmentAvailability, useSite } from '#web/lib/site.ts'
import { useTranslation, WordsContext } from '#web/lib/translation.tsx'
import { OfficeLines, type OfficeTexts } from './office-lines.tsx'

const menuId = 'site-menu'
const formPath = '/register'

const buttons =
  'flex items-center @max-[22rem]:order-last @max-[22rem]:basis-full @max-[22rem]:flex-wrap @max-[22rem]:justify-end @max-[22rem]:pb-2 sm:gap-2'
const loginAlone =
  'flex items-center @max-[14rem]:order-last @max-[14rem]:basis-full @max-[14rem]:justify-end @max-[14rem]:pb-2 sm:gap-2'

/** The buttons take a separate row on narrow screens or with large text. */
export function PublicHeader({ user }: { user: SessionUser | null }) {
  const t = useTranslation()
  const { key, pathname } = useLocation()
  const isOffered = callToAction(useEnlistmentAvailability()) === 'enlist'
  return (
    <header className="border-b bg-card print:hidden">
      <LoadingLine />
      <div className="page-width @container">
        <div className="flex min-h-16 items-center justify-between gap-x-2 @max-[22rem]:flex-wrap @max-[22rem]:gap-x-1 sm:gap-x-4">
          <div className="@container/brand min-w-0 flex-1 basis-24">
            <Link
              to="/"
              className="-ml-[4px] inline-flex min-h-11 max-w-full items-center rounded-box px-[4px]"
            >
              <SiteBrand />
            </Link>
          </div>
          <nav aria-label={t('Main')} className="flex shrink-0 items-center @max-[22rem]:contents sm:gap-2">
            <ul className="flex items-center @max-[66rem]:hidden">
              {mainLinks.map(({ to, label }) => (
                <li key={to}>
                  <NavLink to={to} end={to === '/'} className={linkClass}>
                    {t(label)}
                  </NavLink>
                </li>
              ))}
            </ul>
            <LanguageLink
              isShort
              className="inline-flex min-h-11 min-w-9 items-center justify-center rounded-box px-1.5 text-sm font-semibold hover:bg-soft sm:px-3"
            />
            <div className={user || (isOffered && pathname !== formPath) ? buttons : loginAlone}>
              {user ? <SignedIn user={user} /> : <SignedOut />}
            </div>
            <button
              type="button"
              popoverTarget={menuId}
              className="-mr-2 hidden size-11 items-center justify-center rounded-box hover:bg-soft @max-[66rem]:supports-[selector(:popover-open)]:inline-flex"
            >
              <Menu className="size-6" />
              <span className="sr-only">{t('Menu')}</span>
            </button>
            {/* Opened and closed by the browser itself; an old one can't, and has the same links at the foot. A new one
              for every place, so that a link closes it. */}
            <ul
              key={key}
              id={menuId}
              popover="auto"
              className="inset-x-0 top-16 bottom-auto m-0 hidden w-auto border-b bg-card px-3 py-2 text-fg shadow-card backdrop:bg-pine-deep/40 @max-[66rem]:open:block"
            >
              {mainLinks.map(({ to, label }) => (
                <li key={to}>
                  <NavLink
                    to={to}
                    end={to === '/'}
                    className="flex min-h-12 items-center rounded-box px-3 font-semibold hover:bg-soft aria-[current=page]:text-primary"
                  >
                    {t(label)}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </div>
    </header>
  )
}

// Document loads are shown by page-scripts.tsx.
function LoadingLine() {
  const isLeaving = useNavigation().state !== 'idle'
  useEffect(() => {
    if (!isLeaving) return
    const { dataset } = document.documentElement
    dataset.leaving = ''
    return () => {
      delete dataset.leaving
    }
  }, [isLeaving])
  return (
    <div
      aria-hidden="true"
      data-loading-line=""
      className="fixed inset-x-0 top-0 z-50 hidden h-1.5 animate-pulse border-b-2 border-pine-deep bg-gold in-data-leaving:block"
    />
  )
}

const linkClass =
  'inline-flex min-h-11 items-center rounded-box px-3 text-sm font-semibold hover:bg-soft aria-[current=page]:text-primary'

function SignedOut() {
  const t = useTranslation()
  const isOffered = callToAction(useEnlistmentAvailability()) === 'enlist'
  const { pathname } = useLocation()
  return (
    <>
      <NavLink
        to="/login"
        className="inline-flex min-h-11 items-center rounded-box px-1.5 text-sm font-semibold sm:tracking-wide hover:bg-soft aria-[current=page]:text-primary sm:px-4"
      >
        {t('LOGIN')}
      </NavLink>
      {pathname !== formPath && isOffered && (
        <ButtonLink to={formPath} reloadDocument className="px-2.5! text-sm! sm:px-4! sm:tracking-wide">
          REGISTER
        </ButtonLink>
      )}
    </>
  )
}

function SignedIn({ user }: { user: SessionUser }) {
  const { pathname } = useLocation()
  const { label, to } = homeOrDashboard(pathname)
  return (
    <>
      <Link to={to} className={linkClass}>
        {label}
      </Link>
      <span className="inline-flex size-11 items-center justify-center" title={user.email}>
        <Avatar email={user.email} />
        <span className="sr-only">Signed in as {user.email}</span>
      </span>
    </>
  )
}

interface NavigationTarget {
  label: 'Home' | 'Dashboard'
  to: string
}

export function homeOrDashboard(pathname: string): NavigationTarget {
  const isOnDashboard = pathname === '/dashboard' || pathname === '/admin' || pathname.startsWith('/admin/')
  return isOnDashboard ? { label: 'Home', to: '/' } : { label: 'Dashboard', to: '/dashboard' }
}

interface PublicFooterProps {
  user: SessionUser | null
  year: string
  office: OfficeTexts
}

export function PublicFooter({ user, year, office }: PublicFooterProps) {
  const t = useTranslation()
  const { systemName, schoolName } = useSite()
  const groups = [
    { title: 'Explore', links: [...mainLinks, chartLink] },
    { title: 'Portal', links: user ? administratorLinks : visitorLinks },
    { title: 'Legal', links: legalLinks },
  ]
  return (
    <footer className="on-pine bg-pine-deep text-on-pine print:hidden">
      <div className="page-width flex flex-col gap-5 py-6 md:flex-row md:flex-wrap md:items-start md:justify-between md:py-10">
        <div className="md:max-w-56">
          <SiteBrand />
          <p className="mt-3 text-sm text-on-pine-muted max-sm:hidden">
            {t('Enlistment and records of the National Service Training Program under Republic Act 9163.')}
          </p>
        </div>
        <OfficeLines texts={office} />
        <nav
          aria-label={t('Footer')}
          className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-8 gap-y-4 sm:flex sm:flex-wrap sm:gap-x-10"
        >
          {groups.map(({ title, links }) => (
            // The longest on the left of a phone, the two others beside it.
            <div key={title} className="first:row-span-2">
              <p className="text-sm font-semibold text-gold">{t(title)}</p>
              <ul className="mt-1">
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="inline-flex min-h-11 items-center rounded-box text-sm font-medium underline-offset-4 hover:underline"
                    >
                      {t(label)}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="border-t border-pine-line">
        <p className="page-width flex flex-wrap items-center justify-between gap-x-8 text-sm text-on-pine-muted">
          <span className="py-3 md:py-5">
            © {year} <bdi>{schoolName || systemName}</bdi>. {t('All rights reserved.')}
          </span>
          <LanguageLink className="inline-flex min-h-11 items-center font-medium underline-offset-4 hover:underline" />
        </p>
      </div>
    </footer>
  )
}

interface PublicLink {
  to: string
  label: string
}

const mainLinks: readonly PublicLink[] = [
  { to: '/', label: 'Home' },
  { to: '/announcements', label: 'Announcements' },
  { to: '/programs', label: 'Programs' },
  { to: '/faq', label: 'FAQ' },
  { to: '/contact', label: 'Contact' },
  { to: myPath, label: 'My NSTP' },
]

const chartLink: PublicLink = { to: '/organization', label: 'Organization' }
const dashboardLink: PublicLink = { to: '/dashboard', label: 'Dashboard' }
const verifyLink: PublicLink = { to: '/verify', label: 'Verify a certificate' }

const visitorLinks: readonly PublicLink[] = [
  { to: '/register', label: 'Register' },
  { to: '/login', label: 'Login' },
  dashboardLink,
  verifyLink,
]

const administratorLinks: readonly PublicLink[] = [dashboardLink, verifyLink]

const legalLinks: readonly PublicLink[] = [
  { to: '/privacy', label: 'Privacy notice' },
  { to: '/terms', label: 'Terms of use' },
]

/** A document load: the words come with the page. page-scripts.tsx keeps the address's fragment. */
function LanguageLink({ className, isShort = false }: { className?: string; isShort?: boolean }) {
  const { pathname, search } = useLocation()
  const other: Language = useContext(WordsContext) ? 'en' : 'fil'
  const name = languageNames[other]
  return (
    <a
      href={withQuery(`/language/${other}`, { next: pathname + search })}
      lang={other}
      rel="nofollow"
      className={className}
    >
      {isShort && (
        <span aria-hidden="true" className="uppercase @min-[66rem]:hidden">
          {other}
        </span>
      )}
      <span className={clsx(isShort && '@max-[66rem]:sr-only')}>{name}</span>
    </a>
  )
}
