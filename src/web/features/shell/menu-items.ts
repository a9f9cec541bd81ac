import {
  Archive,
  ChartColumn,
  FileUp,
  Images,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  Megaphone,
  Network,
  ScrollText,
  Users,
} from 'lucide-react'
import { type Path, parsePath } from 'react-router'
import { type AdminTab, tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { adminPath } from '#web/lib/next-path.ts'

/** Where a line of a menu leads. */
export interface MenuTarget {
  title: string
  /** A tab of /admin, or another page. */
  to: string
  Icon: LucideIcon
}

export interface MenuItem extends MenuTarget {
  category: string
}

function tabItem(title: string, category: string, tab: AdminTab, Icon: LucideIcon): MenuItem {
  return { title, category, to: tabPath(tab), Icon }
}

/** The administrator's navigation, in the order of the side menu. The search finds what is listed here. */
export const menuItems: readonly MenuItem[] = [
  tabItem('Dashboard', 'Management', 'dashboard', LayoutDashboard),
  tabItem('Student Management', 'Management', 'students', Users),
  { title: 'Archived', category: 'Management', to: '/admin/archived', Icon: Archive },
  { title: 'Statistics', category: 'Management', to: '/statistics', Icon: ChartColumn },
  tabItem('Import Students', 'Management', 'import', FileUp),
  tabItem('Audit Trail', 'Management', 'audit', ScrollText),
  tabItem('Announcements', 'Communication', 'announcements', Megaphone),
  tabItem('Email System', 'Communication', 'email', Mail),
  tabItem('Slideshow', 'Content', 'slideshow', Images),
  tabItem('Organization Chart', 'Content', 'orgchart', Network),
]

/** The items by category, both in the order of the list. */
export function menuByCategory(items: readonly MenuItem[] = menuItems): [string, MenuItem[]][] {
  const categories = new Map<string, MenuItem[]>()
  for (const item of items) {
    categories.set(item.category, [...(categories.get(item.category) ?? []), item])
  }
  return [...categories]
}

/** Whether an item leads to where one is. On /admin the tab decides, whatever else the address says. */
export function isCurrentItem(
  { to }: Pick<MenuTarget, 'to'>,
  here: Pick<Path, 'pathname' | 'search'>,
): boolean {
  const { pathname = '', search = '' } = parsePath(to)
  return pathname === here.pathname && (pathname !== adminPath || tabOf(search) === tabOf(here.search))
}

/** The items whose title or category contains the text, whatever its case; none for a blank text. */
export function findMenuItems(text: string, items: readonly MenuItem[] = menuItems): MenuItem[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return items.filter(({ title, category }) =>
    [title, category].some((words) => words.toLowerCase().includes(wanted)),
  )
}
