import { act, cleanup, render, screen } from '@testing-library/react'
import { createMemoryRouter, Link, RouterProvider, useLocation } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { useFormAddress } from '#web/lib/form-address.ts'

const list = '/students'

/** What is kept of the form that was open, as by a save that is on its way. */
const kept: { close?: () => void; goOn?: () => void } = {}

function Students() {
  const isOpen = useLocation().search !== ''
  const { open, close } = useFormAddress(isOpen)
  return (
    <>
      <h1>{isOpen ? 'A form' : 'The list'}</h1>
      <button type="button" onClick={() => open(`${list}?edit=1`)}>
        Edit
      </button>
      <button type="button" onClick={() => open(`${list}?view=1`, { replace: true })}>
        View instead
      </button>
      <button
        type="button"
        onClick={() => {
          kept.close = () => close(list)
          kept.goOn = () => open(`${list}?view=2`, { replace: true })
        }}
      >
        Save
      </button>
      <button type="button" onClick={() => close(list)}>
        Close
      </button>
      <Link to="/dashboard">Dashboard</Link>
    </>
  )
}

/** The browser's history, which this document lacks: its present entry is the router's. */
function start(...entries: string[]) {
  const routes = [
    { path: list, element: <Students /> },
    { path: '/dashboard', element: <h1>Dashboard</h1> },
  ]
  const router = createMemoryRouter(routes, { initialEntries: entries })
  const follow = () => window.history.replaceState({ key: router.state.location.key }, '')
  follow()
  router.subscribe(follow)
  render(<RouterProvider router={router} />)
  return router
}

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click())
const heading = () => screen.getByRole('heading').textContent
const back = (router: ReturnType<typeof start>) => act(() => router.navigate(-1))

afterEach(cleanup)

test('a form that was opened from its list closes by one step back, and Back does not open it again', async () => {
  const router = start('/dashboard', list)
  await press('Edit')
  expect(heading()).toBe('A form')
  await press('Close')
  expect(heading()).toBe('The list')
  await back(router)
  expect(heading()).toBe('Dashboard')
})

test('a form in place of another one closes to the same list', async () => {
  const router = start('/dashboard', list)
  await press('Edit')
  await press('View instead')
  expect(router.state.location.search).toBe('?view=1')
  await press('Close')
  expect(heading()).toBe('The list')
  await back(router)
  expect(heading()).toBe('Dashboard')
})

test.each([[], ['View instead']])(
  'a form of a sent link closes to its list, which takes its place %j',
  async (...presses) => {
    const router = start('/dashboard', `${list}?edit=1`)
    for (const name of presses) await press(name)
    await press('Close')
    expect(heading()).toBe('The list')
    await back(router)
    expect(heading()).toBe('Dashboard')
  },
)

test('the end of saving closes nothing a second time', async () => {
  const router = start('/dashboard', list)
  await press('Edit')
  await press('Save')
  await press('Close')
  expect(heading()).toBe('The list')
  // Of the form that was left while it was saved.
  await act(async () => kept.close?.())
  expect(heading()).toBe('The list')
  // Of a form that is closing, over the list.
  const { key } = router.state.location
  await press('Close')
  expect(router.state.location.key).toBe(key)
})

test('the end of saving leaves alone the page that was opened meanwhile', async () => {
  start('/dashboard', list)
  await press('Edit')
  await press('Save')
  await act(async () => screen.getByRole('link', { name: 'Dashboard' }).click())
  await act(async () => kept.close?.())
  expect(heading()).toBe('Dashboard')
})

test('a form that was left while it was saved leads nowhere when the save ends', async () => {
  const router = start('/dashboard', list)
  await press('Edit')
  await press('Save')
  await act(async () => screen.getByRole('link', { name: 'Dashboard' }).click())
  await act(async () => kept.goOn?.())
  expect(heading()).toBe('Dashboard')
  expect(router.state.location.pathname).toBe('/dashboard')
})
