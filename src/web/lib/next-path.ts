export const adminPath = '/admin'

/**
 * A path to go to after signing in, if it is one of this site's; else the admin page. '//evil.example',
 * '/\evil.example' and full addresses would leave the site, so the text is resolved as a browser would and
 * the result compared.
 */
export function safeNextPath(next: string | null | undefined): string {
  const here = 'https://here.invalid'
  if (!next?.startsWith('/') || !URL.canParse(next, here)) return adminPath
  const url = new URL(next, here)
  if (url.origin !== here || url.pathname.startsWith('//')) return adminPath
  if (url.pathname === '/login' || url.pathname.startsWith('/api/')) return adminPath
  return `${url.pathname}${url.search}${url.hash}`
}

export function loginPath({ next, ended }: { next?: string; ended?: boolean } = {}): string {
  const query = new URLSearchParams()
  if (next && next !== adminPath) query.set('next', next)
  if (ended) query.set('ended', '1')
  const search = query.toString()
  return search ? `/login?${search}` : '/login'
}
