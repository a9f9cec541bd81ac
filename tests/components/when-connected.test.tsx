import { act, cleanup, render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { whenConnected } from '#web/lib/when-connected.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a part asked for without a connection comes when it is back, and the screen around it stays', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  let requests = 0
  const Part = lazy(() =>
    whenConnected(async () => {
      requests += 1
      if (!navigator.onLine) throw new TypeError('Failed to fetch')
      return { default: () => <p>Here.</p> }
    }),
  )
  render(
    <>
      <h1>Students</h1>
      <Suspense>
        <Part />
      </Suspense>
    </>,
  )
  await act(async () => undefined)
  expect(requests).toBe(1)
  expect(screen.getByRole('heading', { name: 'Students' })).toBeTruthy()
  isOnline.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await screen.findByText('Here.')).toBeTruthy()
  expect(requests).toBe(2)
})

test('a part that is missing with a connection is a failure', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  await expect(whenConnected(() => Promise.reject(new TypeError('404')))).rejects.toThrow('404')
})
