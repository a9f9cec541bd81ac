import { createSearchParams, type Path, parsePath } from 'react-router'
import type { Permission } from '#shared/people/permissions.ts'
import { adminPath, rollPath, withQuery } from './next-path.ts'

// The values of the query's `tab`. The dashboard's address has none.
export const adminTabNames = [
  'dashboard',
  'students',
  'requests',
  'import',
  'announcements',
  'slideshow',
  'orgchart',
  'email',
  'audit',
  'privacy',
  'people',
  'terms',
  'papers',
  'profile-settings',
  'system-settings',
] as const

export type AdminTab = (typeof adminTabNames)[number]

const tabPermissions: Record<AdminTab, Permission> = {
  dashboard: 'students.read',
  students: 'students.read',
  requests: 'students.edit',
  import: 'imports',
  announcements: 'content',
  slideshow: 'content',
  orgchart: 'content',
  email: 'mail',
  audit: 'audit',
  privacy: 'privacy',
  people: 'people',
  terms: 'terms.read',
  papers: 'papers',
  'profile-settings': 'signed-in',
  'system-settings': 'settings',
}

/** What an address of the administration needs. */
export function permissionAt(to: string): Permission {
  const { pathname, search = '', hash } = parsePath(to)
  if (pathname === '/statistics') return 'statistics'
  if (pathname === rollPath) return 'roll'
  if (pathname === '/admin/archived' || pathname === '/poster') return 'students.read'
  if (pathname === '/email-test' || pathname === '/server-test') return 'mail.account'
  if (hash === '#backup') return 'backup'
  if (pathname !== adminPath) return 'signed-in'
  const tab = tabOf(search)
  const isOfStudent = tab === 'audit' && createSearchParams(search).has('student')
  return isOfStudent ? 'history' : tabPermissions[tab]
}

/** A tab change adds no history entry (product 8.1). */
export function isTabChange(to: string, pathname: string): boolean {
  return pathname === adminPath && (to === pathname || to.startsWith(`${pathname}?`))
}

/** An unknown value selects the dashboard. One tab has two names (product 8.1). */
export function tabOf(search: string): AdminTab {
  const wanted = createSearchParams(search).get('tab')
  if (wanted === 'emailtest') return 'email'
  return adminTabNames.find((tab) => tab === wanted) ?? 'dashboard'
}

/** The screens to whose terms and papers the lists belong that are worked on at the import screen. */
export const screensOfLists = ['terms', 'papers'] as const

/** The tab that the menu marks. */
export function markedTabOf(search: string): AdminTab {
  const tab = tabOf(search)
  const of = createSearchParams(search).get('of')
  return (tab === 'import' && screensOfLists.find((screen) => screen === of)) || tab
}

/** `tabPath('students', { component: 'ROTC' })` */
export function tabPath(tab: AdminTab, query: Record<string, string> = {}): string {
  return withQuery(adminPath, tab === 'dashboard' ? query : { tab, ...query })
}

export const helpPath = '/help'

/** The guide's page of a screen. */
export function helpPathOf({ pathname, search, hash }: Path): string {
  const screen = pathname === adminPath ? tabOf(search) : pathname.split('/').at(-1)
  return `${helpPath}/${hash === '#backup' ? 'backup' : screen}`
}
