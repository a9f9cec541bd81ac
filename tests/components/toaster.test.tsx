import { act, cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { showToast, Toaster } from '#web/components/toaster.tsx'

const dismissals: (() => void)[] = []
const notify = (message: string) =>
  act(() => void dismissals.push(showToast('info', message, { shownMs: null })))

afterEach(() => {
  act(() => {
    for (const dismiss of dismissals.splice(0)) dismiss()
  })
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

// Whatever is marked covers the whole screen.
function openCovered() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 360, 700))
  const element = (
    <>
      <Toaster />
      <main>
        <Outlet />
      </main>
    </>
  )
  const children = [
    { path: '/', element: 'Home' },
    { path: '/enlisted', element: <p data-uncovered="">Code</p> },
  ]
  const router = createMemoryRouter([{ element, children }], { initialEntries: ['/enlisted'] })
  render(<RouterProvider router={router} />)
  notify('First')
  expect(place()).toContain('absolute')
  return router
}

const place = () => screen.getByRole('region', { name: 'Notifications' }).className

test('notifications above a page stay there with its top', () => {
  openCovered()
  notify('Second')
  expect(place()).toContain('absolute')
})

test('notifications above a page come into sight on the next page', async () => {
  const router = openCovered()
  await act(() => router.navigate('/'))
  expect(place()).toContain('fixed')
})

test('a notification above a page that was scrolled is in sight', () => {
  openCovered()
  vi.stubGlobal('scrollY', 300)
  notify('Second')
  expect(place()).toContain('fixed')
})
