import { describe, expect, test } from 'vitest'
import { findMenuItems, menuByCategory, menuItems } from './menu-items.ts'

const titles = (text: string) => findMenuItems(text).map(({ title }) => title)

describe('the navigation search', () => {
  test('finds items by a part of their title, whatever its case', () => {
    expect(titles('STUD')).toEqual(['Student Management'])
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

test('the menu shows every item once, under its category', () => {
  const shown = menuByCategory().flatMap(([category, items]) =>
    items.map((item) => {
      expect(item.category).toBe(category)
      return item
    }),
  )
  expect(shown).toHaveLength(menuItems.length)
})
