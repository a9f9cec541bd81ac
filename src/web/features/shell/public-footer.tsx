import { clsx } from 'clsx'
import { Link } from 'react-router'
import type { SessionUser } from '#shared/session.ts'
import { useSite } from '#web/lib/site.ts'
import { administratorLinks, legalLinks, mainLinks, visitorLinks } from './public-links.ts'
import { SiteBrand } from './site-brand.tsx'

/** The foot of the public pages. */
export function PublicFooter({ user, year }: { user: SessionUser | null; year: string }) {
  const { systemName, schoolName } = useSite()
  const groups = [
    { title: 'Explore', links: mainLinks },
    { title: 'Portal', links: user ? administratorLinks : visitorLinks },
    { title: 'Legal', links: legalLinks },
  ]
  return (
    <footer className="on-pine bg-pine-deep text-on-pine print:hidden">
      <div className="page-width flex flex-col gap-8 py-10 md:flex-row md:items-start md:justify-between">
        <div className="max-w-xs">
          <SiteBrand />
          <p className="mt-4 text-sm text-on-pine-muted">
            Enlistment and records of the National Service Training Program under Republic Act 9163.
          </p>
        </div>
        <nav
          aria-label="Footer"
          className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-10 gap-y-6 sm:flex sm:gap-x-14"
        >
          {groups.map(({ title, links }) => (
            <div key={title}>
              <p className="text-sm font-semibold text-gold">{title}</p>
              <ul className={clsx('mt-1', links.length > 3 && 'gap-x-8 sm:grid sm:grid-cols-2')}>
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      className="inline-flex min-h-11 items-center rounded-box text-sm font-medium underline-offset-4 hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className="border-t border-pine-line">
        <p className="page-width py-5 text-sm text-on-pine-muted">
          © {year} <bdi>{schoolName || systemName}</bdi>. All rights reserved.
        </p>
      </div>
    </footer>
  )
}
