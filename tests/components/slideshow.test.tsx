import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildSlide } from '#tests/factories/slide.ts'
import { Slideshow } from '#web/features/slideshow/slideshow.tsx'

/** The screen, which this document lacks: what is observed is on it until the test says otherwise. */
const observers = new Set<(isIntersecting: boolean) => void>()
class ScreenObserver {
  readonly #tell: (isIntersecting: boolean) => void
  constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
    this.#tell = (isIntersecting) => callback([{ isIntersecting }])
  }
  observe() {
    observers.add(this.#tell)
    this.#tell(true)
  }
  disconnect() {
    observers.delete(this.#tell)
  }
}

const wishes = { reducedMotion: false }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  vi.stubGlobal('IntersectionObserver', ScreenObserver)
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.assign(new EventTarget(), {
      media: query,
      matches: wishes.reducedMotion && query.includes('prefers-reduced-motion'),
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  observers.clear()
  wishes.reducedMotion = false
})

const store: { change?: (titles: readonly string[]) => void } = {}

/** A page that is read again when its slides change. */
function Page() {
  const [titles, setTitles] = useState<readonly string[]>(['First', 'Second', 'Third'])
  useEffect(() => {
    store.change = setTitles
  }, [])
  return <Slideshow slides={{ data: titles.map(buildSlide), failure: null }} isAdmin={false} />
}

async function open() {
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: <Page /> }])} />)
  // Its scripts come when it is on the screen.
  await act(async () => {
    await import('#web/features/slideshow/slide-player.tsx')
  })
  await act(async () => undefined)
}

const button = (name: string) => screen.getByRole('button', { name })
const frame = () => screen.getByRole('region', { name: 'Slideshow' })
/** Of the slide that is seen, by its dot. */
const place = () => {
  const dots = screen.getAllByRole('button', { name: /^Slide \d+$/ })
  return dots.findIndex((dot) => dot.getAttribute('aria-current') === 'true') + 1
}
const isReadOut = () => frame().querySelector('[aria-live]')?.getAttribute('aria-live')
/** In steps, between which React does its work. */
function pass(ms: number) {
  for (let left = ms; left > 0; left -= 100) act(() => vi.advanceTimersByTime(Math.min(100, left)))
}

test('while it moves, for 500 ms, nothing else is taken', async () => {
  await open()
  fireEvent.click(button('Next slide'))
  fireEvent.click(button('Next slide'))
  fireEvent.click(button('Slide 3'))
  pass(499)
  fireEvent.click(button('Previous slide'))
  expect(place()).toBe(2)
  pass(1)
  fireEvent.click(button('Next slide'))
  expect(place()).toBe(3)
})

test('arrows and dots lead on, and around the ends', async () => {
  await open()
  for (const [name, expected] of [
    ['Previous slide', 3],
    ['Next slide', 1],
    ['Slide 3', 3],
    ['Slide 2', 2],
  ] as const) {
    fireEvent.click(button(name))
    expect(place()).toBe(expected)
    pass(500)
  }
})

describe('by itself', () => {
  test('goes on 5 seconds after each change', async () => {
    await open()
    expect(isReadOut()).toBe('off')
    pass(4_999)
    expect(place()).toBe(1)
    pass(1)
    expect(place()).toBe(2)
    pass(4_000)
    fireEvent.click(button('Next slide'))
    pass(4_999)
    expect(place()).toBe(3)
    pass(1)
    expect(place()).toBe(1)
  })

  const stays = () => {
    const before = place()
    expect(isReadOut()).toBe('polite')
    pass(11_000)
    expect(place()).toBe(before)
  }
  const goesOn = () => {
    const before = place()
    expect(isReadOut()).toBe('off')
    pass(5_500)
    expect(place()).toBe((before % 3) + 1)
  }

  test('not while it is paused, and again when it is played by the keyboard', async () => {
    await open()
    fireEvent.click(button('Pause slideshow'))
    stays()
    act(() => button('Play slideshow').focus())
    fireEvent.click(button('Play slideshow'))
    goesOn()
  })

  const point = (type: string, pointerType: string) =>
    fireEvent(frame(), new PointerEvent(type, { pointerType }))

  test('not while a mouse is over it; a finger is there only for a press', async () => {
    await open()
    point('pointerenter', 'mouse')
    stays()
    point('pointerleave', 'mouse')
    goesOn()
    point('pointerenter', 'touch')
    goesOn()
  })

  test('not while the keyboard is in it', async () => {
    await open()
    act(() => button('Next slide').focus())
    stays()
    act(() => button('Next slide').blur())
    goesOn()
  })

  const show = (isOnScreen: boolean) =>
    act(() => {
      for (const tell of observers) tell(isOnScreen)
    })

  test('not while it is off the screen or its tab is hidden', async () => {
    await open()
    show(false)
    stays()
    show(true)
    goesOn()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    fireEvent(document, new Event('visibilitychange'))
    stays()
    hidden.mockReturnValue(false)
    fireEvent(document, new Event('visibilitychange'))
    goesOn()
  })

  test('not with reduced motion, until it is asked to; and changes are instant', async () => {
    wishes.reducedMotion = true
    await open()
    stays()
    fireEvent.click(button('Next slide'))
    fireEvent.click(button('Next slide'))
    expect(place()).toBe(3)
    fireEvent.click(button('Play slideshow'))
    goesOn()
  })
})

describe('a finger', () => {
  const swipe = (by: number, pointer: object = { pointerType: 'touch', isPrimary: true }) => {
    const stage = frame().querySelector('[aria-live]')
    if (!(stage instanceof HTMLElement)) throw new Error('no slides')
    stage.setPointerCapture = () => undefined
    Object.defineProperty(stage, 'clientWidth', { value: 400, configurable: true })
    const touch = { pointerId: 1, ...pointer }
    fireEvent.pointerDown(stage, { ...touch, clientX: 200 })
    fireEvent.pointerMove(stage, { ...touch, clientX: 200 + by / 2 })
    fireEvent.pointerMove(stage, { ...touch, clientX: 200 + by })
    fireEvent.pointerUp(stage, { ...touch, clientX: 200 + by })
    pass(500)
  }

  test('pulls to the next one and back, from 15 % of the width', async () => {
    await open()
    fireEvent.click(button('Pause slideshow'))
    swipe(-61)
    expect(place()).toBe(2)
    swipe(-60)
    expect(place()).toBe(2)
    swipe(61)
    expect(place()).toBe(1)
  })

  test('alone does: a mouse and a second finger pull nothing', async () => {
    await open()
    fireEvent.click(button('Pause slideshow'))
    swipe(-200, { pointerType: 'mouse', isPrimary: true })
    swipe(-200, { pointerType: 'touch', isPrimary: false })
    expect(place()).toBe(1)
  })
})

test('a change elsewhere does not take away the slide that is seen', async () => {
  await open()
  fireEvent.click(button('Pause slideshow'))
  fireEvent.click(button('Slide 2'))
  pass(500)
  const seen = (count: number) =>
    screen.getByRole('group', { name: `Slide ${place()} of ${count}` }).textContent
  for (const [titles, expected] of [
    [['First', 'Second', 'Third', 'Fourth'], 'Second'],
    [['Fourth', 'First', 'Second', 'Third'], 'Second'],
    [['Fourth', 'First', 'Third'], 'Third'],
  ] as const) {
    act(() => store.change?.(titles))
    expect(seen(titles.length)).toContain(expected)
  }
})
