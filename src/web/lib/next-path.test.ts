import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loginPath, safeNextPath } from './next-path.ts'

describe('where a sign-in leads', () => {
  test.each([
    ['/admin?tab=students&component=ROTC', '/admin?tab=students&component=ROTC'],
    ['/admin#top', '/admin#top'],
    ['/', '/'],
  ])('a path of this site is kept: %s', (next, path) => {
    expect(safeNextPath(next)).toBe(path)
  })

  test.each([
    null,
    undefined,
    '',
    'admin',
    'https://evil.example/admin',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/login',
    '/login?next=/login',
    '/api/session',
  ])('anything else leads to the admin page: %j', (next) => {
    expect(safeNextPath(next)).toBe('/admin')
  })

  test('no text leads off the site', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webPath(),
          fc.string().map((text) => `/${text}`),
        ),
        (next) => {
          const path = safeNextPath(next)
          expect(new URL(path, 'https://school.example').origin).toBe('https://school.example')
          expect(path.startsWith('//')).toBe(false)
        },
      ),
    )
  })
})

test('the login page remembers the way back, and why one is there', () => {
  expect(loginPath()).toBe('/login')
  expect(loginPath({ next: '/admin' })).toBe('/login')
  expect(loginPath({ next: '/admin?search=dela+Cruz' })).toBe('/login')
  expect(loginPath({ next: '/admin?search=dela+Cruz&tab=students', ended: true })).toBe(
    '/login?next=%2Fadmin%3Ftab%3Dstudents&ended=1',
  )
})
