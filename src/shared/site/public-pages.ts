export const publicPages = [
  '/',
  '/announcements',
  '/organization',
  '/programs',
  '/faq',
  '/contact',
  '/register',
  '/privacy',
  '/terms',
] as const

// The same for all visitors who aren't signed in. With the parameters that their addresses may have.
export const cachedPages = {
  '/': [],
  '/announcements': ['category', 'show', 'cursor'],
  '/announcements/:id': [],
  '/organization': [],
  '/programs': [],
  '/faq': [],
  '/contact': [],
  '/privacy': [],
  '/terms': [],
}

export const privatePaths = [
  '/admin',
  '/api/',
  '/dashboard',
  '/login',
  '/my',
  '/register/confirmation',
  '/statistics',
  '/trust-browser',
  '/unsubscribe',
  '/verify',
] as const

export const previewPaths = ['/api/files/'] as const

// Republic Act 9163.
export const nstpLawAddress = 'https://lawphil.net/statutes/repacts/ra2002/ra_9163_2002.html'
