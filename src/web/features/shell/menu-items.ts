import { LayoutDashboard, type LucideIcon, Users } from 'lucide-react'
import { type AdminTab, tabPath } from '#web/lib/admin-tab.ts'

export interface MenuItem {
  title: string
  category: string
  tab: AdminTab
  to: string
  Icon: LucideIcon
}

function tabItem(title: string, category: string, tab: AdminTab, Icon: LucideIcon): MenuItem {
  return { title, category, tab, to: tabPath(tab), Icon }
}

/** The administrator's navigation, in the order of the side menu. The search finds what is listed here. */
export const menuItems: readonly MenuItem[] = [
  tabItem('Dashboard', 'Management', 'dashboard', LayoutDashboard),
  tabItem('Student Management', 'Management', 'students', Users),
]

/** The items by category, both in the order of the list. */
export function menuByCategory(items: readonly MenuItem[] = menuItems): [string, MenuItem[]][] {
  const categories = new Map<string, MenuItem[]>()
  for (const item of items) {
    categories.set(item.category, [...(categories.get(item.category) ?? []), item])
  }
  return [...categories]
}

/** The items whose title or category contains the text, whatever its case; none for a blank text. */
export function findMenuItems(text: string, items: readonly MenuItem[] = menuItems): MenuItem[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return items.filter(({ title, category }) =>
    [title, category].some((words) => words.toLowerCase().includes(wanted)),
  )
}
