import { createSearchParams } from 'react-router'
import type { SetUp } from '#shared/auth/session.ts'
import { readAddress } from './older-browsers.ts'

export const adminPath = '/admin'
/** The one screen of a facilitator. */
export const rollPath = '/roll'
export const secondFactorPath = '/second-factor'
/** What is open to an account that must set something up first. */
export const setUpPaths: Record<SetUp, string> = {
  password: '/first-password',
  'second factor': secondFactorPath,
}

/**
 * A path to go to after signing in, if it is one of this site's; else the admin page. '//evil.example',
 * '/\evil.example' and full addresses would leave the site, so the text is resolved as a browser would and
 * the result compared.
 */
export function safeNextPath(next: string | null | undefined): string {
  const here = 'https://here.invalid'
  const url = next?.startsWith('/') ? readAddress(next, here) : null
  if (!url) return adminPath
  if (url.origin !== here || url.pathname.startsWith('//')) return adminPath
  if (url.pathname === '/login' || url.pathname.startsWith('/api/')) return adminPath
  return `${url.pathname}${url.search}${url.hash}`
}

export function loginPath({ next, ended }: { next?: string; ended?: boolean } = {}): string {
  const way = next && withoutSearch(next)
  return withQuery('/login', { ...(way && way !== adminPath && { next: way }), ...(ended && { ended: '1' }) })
}

// Privacy: what was searched for is a person's name, and anybody may read over a shoulder at the login.
function withoutSearch(path: string): string {
  const [place = '', query] = path.split('?', 2)
  if (query === undefined) return path
  const { search: _name, ...rest } = Object.fromEntries(new URLSearchParams(query))
  return withQuery(place, rest)
}

export function withQuery(path: string, values: Record<string, string>): string {
  const search = createSearchParams(values).toString()
  return search ? `${path}?${search}` : path
}
