/** The pages that search engines may show, beside each announcement's own. */
export const publicPages = [
  '/',
  '/announcements',
  '/programs',
  '/faq',
  '/contact',
  '/register',
  '/privacy',
  '/terms',
] as const

/** What they are to leave alone: the office's side, and what depends on who is asking. */
export const privatePaths = [
  '/admin',
  '/api/',
  '/dashboard',
  '/login',
  '/register/confirmation',
  '/statistics',
  '/unsubscribe',
] as const

/** Within these, what link previews show. */
export const previewPaths = ['/api/files/'] as const

/** Where the text of Republic Act 9163 can be read: the law that the office works by. */
export const nstpLawAddress = 'https://lawphil.net/statutes/repacts/ra2002/ra_9163_2002.html'
