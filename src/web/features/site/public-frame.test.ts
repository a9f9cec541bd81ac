import { expect, test } from 'vitest'
import { homeOrDashboard } from './public-frame.tsx'

test.each([
  ['/dashboard', 'Home'],
  ['/admin', 'Home'],
  ['/admin/archived', 'Home'],
  ['/', 'Dashboard'],
  ['/register', 'Dashboard'],
  ['/administration', 'Dashboard'],
])('on %s the signed-in link is called %s', (pathname, label) => {
  expect(homeOrDashboard(pathname).label).toBe(label)
})
