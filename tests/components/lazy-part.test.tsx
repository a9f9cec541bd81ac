import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode, Suspense } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { lazyPart } from '#web/lib/lazy-part.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('a part asked for without a connection comes when it is back, and the screen around it stays', async () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  let requests = 0
  const Part = lazyPart(async () => {
    requests += 1
    if (!navigator.onLine) throw new TypeError('Failed to fetch')
    return () => <p>Here.</p>
  })
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

class Failure extends Component<{ children: ReactNode }, { message: string }> {
  override state = { message: '' }
  static getDerivedStateFromError({ message }: Error) {
    return { message }
  }
  override render() {
    return this.state.message || this.props.children
  }
}

test('a part that is missing with a connection is a failure', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  // React reports what it catches.
  vi.spyOn(console, 'error').mockReturnValue()
  const Part = lazyPart<object>(() => Promise.reject(new TypeError('404')))
  render(
    <Failure>
      <Suspense>
        <Part />
      </Suspense>
    </Failure>,
  )
  expect(await screen.findByText('404')).toBeTruthy()
})
