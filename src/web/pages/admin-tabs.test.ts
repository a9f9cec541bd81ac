import { describe, expect, test } from 'vitest'
import { findMenuItems, isCurrentItem, menuByCategory } from '#web/features/admin/menu.tsx'
import { searchSources } from './admin-tabs.tsx'

const menuItems = searchSources.menu

const titles = (text: string) => findMenuItems(text, menuItems).map(({ title }) => title)

describe('the navigation search', () => {
  test('finds items by a part of their title, whatever its case', () => {
    expect(titles('STUD')).toEqual(['Student Management', 'Import Students'])
    expect(titles('dash')).toEqual(['Dashboard'])
  })

  test('finds items by their category, the first of the menu first', () => {
    expect(titles('management')[0]).toBe('Dashboard')
    expect(titles('management')).toContain('Student Management')
  })

  test('finds nothing for a blank text or words that no item has', () => {
    expect(titles('   ')).toEqual([])
    expect(titles('payroll')).toEqual([])
  })
})

test.each(['export', 'birth', 'backup'])('Ctrl K finds “%s” once', async (word) => {
  const { targets } = await searchSources.load()
  expect(findMenuItems(word, [...menuItems, ...targets])).toHaveLength(1)
})

test('the menu shows every item once, under its category', () => {
  const shown = menuByCategory(menuItems).flatMap(([category, items]) =>
    items.map((item) => {
      expect(item.category).toBe(category)
      return item
    }),
  )
  expect(shown).toHaveLength(menuItems.length)
})

describe('the marked line', () => {
  const at = (address: string) => {
    const { pathname, search } = new URL(address, 'http://portal.test')
    return (to: string) => isCurrentItem({ to }, { pathname, search })
  }

  test('on /admin is the tab', () => {
    const isCurrent = at('/admin?tab=students&search=cruz')
    expect(isCurrent('/admin?tab=students')).toBe(true)
    expect(isCurrent('/admin')).toBe(false)
  })

  test('elsewhere is the page', () => {
    expect(at('/statistics?period=current-year')('/statistics')).toBe(true)
    expect(at('/statistics')('/admin')).toBe(false)
    expect(at('/admin')('/statistics')).toBe(false)
  })
})
