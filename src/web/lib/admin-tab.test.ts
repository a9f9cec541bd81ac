import { expect, test } from 'vitest'
import { tabOf, tabPath } from './admin-tab.ts'

test.each([
  ['', 'dashboard'],
  ['?tab=students', 'students'],
  ['?component=ROTC&tab=students', 'students'],
  ['?tab=dashboard', 'dashboard'],
  ['?tab=Students', 'dashboard'],
  ['?tab=nonsense', 'dashboard'],
])('the query %j selects the tab %s', (search, tab) => {
  expect(tabOf(search)).toBe(tab)
})

test('the dashboard has no query, other tabs have theirs and their filters', () => {
  expect(tabPath('dashboard')).toBe('/admin')
  expect(tabPath('students')).toBe('/admin?tab=students')
  expect(tabPath('students', { period: 'last-7-days' })).toBe('/admin?tab=students&period=last-7-days')
})
