import { Link, NavLink, useLocation } from 'react-router'
import type { SessionUser } from '#shared/session.ts'
import { Avatar } from '#web/components/avatar.tsx'
import { ButtonLink } from '#web/components/button.tsx'
import { homeOrDashboard } from './home-or-dashboard.ts'
import { SiteBrand } from './site-brand.tsx'

/** The head of the public pages: who isn't signed in can sign in or register. */
export function PublicHeader({ user }: { user: SessionUser | null }) {
  return (
    <header className="border-b bg-card print:hidden">
      <div className="page-width flex min-h-16 items-center justify-between gap-3">
        <Link to="/" className="-ml-1 inline-flex min-h-11 min-w-0 items-center rounded-box px-1">
          <SiteBrand />
        </Link>
        <nav aria-label="Main" className="flex shrink-0 items-center gap-1 sm:gap-3">
          {user ? <SignedIn user={user} /> : <SignedOut />}
        </nav>
      </div>
    </header>
  )
}

function SignedOut() {
  return (
    <>
      <NavLink
        to="/login"
        className="inline-flex min-h-11 items-center rounded-box px-2.5 text-sm font-semibold tracking-wide hover:bg-soft aria-[current=page]:text-primary sm:px-4"
      >
        LOGIN
      </NavLink>
      <ButtonLink to="/register" className="px-3! text-sm! tracking-wide sm:px-4!">
        REGISTER
      </ButtonLink>
    </>
  )
}

function SignedIn({ user }: { user: SessionUser }) {
  const { pathname } = useLocation()
  const { label, to } = homeOrDashboard(pathname)
  return (
    <>
      <Link
        to={to}
        className="inline-flex min-h-11 items-center rounded-box px-3 text-sm font-semibold hover:bg-soft"
      >
        {label}
      </Link>
      <span className="inline-flex size-11 items-center justify-center" title={user.email}>
        <Avatar email={user.email} />
        <span className="sr-only">Signed in as {user.email}</span>
      </span>
    </>
  )
}
