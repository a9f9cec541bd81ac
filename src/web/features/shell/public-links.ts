interface PublicLink {
  to: string
  label: string
}

/** The pages of the public navigation. */
export const mainLinks: readonly PublicLink[] = [
  { to: '/', label: 'Home' },
  { to: '/announcements', label: 'Announcements' },
  { to: '/programs', label: 'Programs' },
  { to: '/faq', label: 'FAQ' },
  { to: '/contact', label: 'Contact' },
]

/** To the office's side, by signing in where that is needed. */
const dashboardLink: PublicLink = { to: '/dashboard', label: 'Dashboard' }

/** What a visitor looks for at the foot of a page beside these. */
export const visitorLinks: readonly PublicLink[] = [
  { to: '/register', label: 'Register' },
  { to: '/login', label: 'Login' },
  dashboardLink,
]

/** In place of them for the administrator, who has nothing to register. */
export const administratorLinks: readonly PublicLink[] = [dashboardLink]

export const legalLinks: readonly PublicLink[] = [
  { to: '/privacy', label: 'Privacy notice' },
  { to: '/terms', label: 'Terms of use' },
]
