import { Link } from 'react-router'
import { useSite } from '#web/lib/site.ts'
import { SiteBrand } from './site-brand.tsx'

const links = [
  { to: '/', label: 'Home' },
  { to: '/register', label: 'Register' },
  { to: '/login', label: 'Login' },
  { to: '/privacy', label: 'Privacy notice' },
]

/** The foot of the public pages. */
export function PublicFooter({ year }: { year: string }) {
  const { systemName, schoolName } = useSite()
  return (
    <footer className="on-pine bg-pine-deep text-on-pine print:hidden">
      <div className="page-width flex flex-col gap-8 py-10 md:flex-row md:items-start md:justify-between">
        <div className="max-w-sm">
          <SiteBrand />
          <p className="mt-4 text-sm text-on-pine-muted">
            Enlistment and records of the National Service Training Program under Republic Act 9163.
          </p>
        </div>
        <nav aria-label="Footer">
          <ul className="grid grid-cols-2 gap-x-8 sm:flex sm:gap-x-4">
            {links.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="inline-flex min-h-11 items-center rounded-box px-1 text-sm font-medium underline-offset-4 hover:underline"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="border-t border-pine-line">
        <p className="page-width py-5 text-sm text-on-pine-muted">
          © {year} {schoolName || systemName}. All rights reserved.
        </p>
      </div>
    </footer>
  )
}
