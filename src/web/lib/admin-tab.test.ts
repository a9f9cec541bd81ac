import { expect, test } from 'vitest'
import { helpPathOf, isTabChange, markedTabOf, tabOf, tabPath } from './admin-tab.ts'

test.each([
  ['', 'dashboard'],
  ['?tab=students', 'students'],
  ['?component=ROTC&tab=students', 'students'],
  ['?tab=dashboard', 'dashboard'],
  ['?tab=email', 'email'],
  ['?tab=emailtest', 'email'],
  ['?tab=Students', 'dashboard'],
  ['?tab=nonsense', 'dashboard'],
])('the query %j selects the tab %s', (search, tab) => {
  expect(tabOf(search)).toBe(tab)
})

test('the menu marks the screen of the term or paper whose list is open', () => {
  expect(markedTabOf('?tab=import&import=1')).toBe('import')
  expect(markedTabOf('?tab=import&import=1&of=terms')).toBe('terms')
  expect(markedTabOf('?tab=import&import=1&of=papers')).toBe('papers')
  expect(markedTabOf('?tab=import&import=1&of=email')).toBe('import')
  expect(markedTabOf('?tab=students&of=terms')).toBe('students')
})

test('the dashboard has no query, other tabs have theirs and their filters', () => {
  expect(tabPath('dashboard')).toBe('/admin')
  expect(tabPath('students')).toBe('/admin?tab=students')
  expect(tabPath('students', { period: 'last-7-days' })).toBe('/admin?tab=students&period=last-7-days')
})

test('only going from tab to tab is a change of tabs', () => {
  expect(isTabChange('/admin?tab=students', '/admin')).toBe(true)
  expect(isTabChange('/admin', '/admin')).toBe(true)
  expect(isTabChange('/admin/archived', '/admin')).toBe(false)
  expect(isTabChange('/statistics', '/admin')).toBe(false)
  expect(isTabChange('/admin', '/statistics')).toBe(false)
})

test.each([
  ['/admin', 'dashboard'],
  ['/admin?tab=students&search=cruz', 'students'],
  ['/admin?tab=emailtest', 'email'],
  ['/admin?tab=system-settings#names', 'system-settings'],
  ['/admin?tab=system-settings#backup', 'backup'],
  ['/admin/archived', 'archived'],
  ['/statistics?component=ROTC', 'statistics'],
])('the help of %s is the page %s', (address, page) => {
  expect(helpPathOf(new URL(address, 'http://portal.test'))).toBe(`/help/${page}`)
})
