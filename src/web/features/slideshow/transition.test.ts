import { describe, expect, test } from 'vitest'
import {
  followSlides,
  initialTransition,
  type Transition,
  transitionBack,
  transitionTo,
  wrapIndex,
} from './transition.ts'

const slides = (ids: string) => [...ids].map((id) => ({ id }))
const at = (current: string, index: number): Transition => ({ ...initialTransition, current, index })

test('indexes wrap around', () => {
  expect([-1, 0, 2, 3].map((index) => wrapIndex(index, 3))).toEqual([2, 0, 2, 0])
  expect(wrapIndex(5, 0)).toBe(0)
})

describe('when slides are added or removed', () => {
  test('the first slide is shown first', () => {
    expect(followSlides(initialTransition, slides('abc'))).toEqual(at('a', 0))
    expect(followSlides(initialTransition, [])).toEqual(initialTransition)
  })

  test('the shown slide stays at its new index', () => {
    const transition = at('b', 1)
    expect(followSlides(transition, slides('abc'))).toBe(transition)
    expect(followSlides(transition, slides('xyab'))).toEqual(at('b', 3))
    expect(followSlides(transition, slides('b'))).toEqual(at('b', 0))
  })

  test('a removed slide is replaced by the next one, at the end by the last', () => {
    expect(followSlides(at('b', 1), slides('acd'))).toEqual(at('c', 1))
    expect(followSlides({ ...at('c', 2), leaving: 'b' }, slides('ab'))).toEqual(at('b', 1))
  })
})

describe('a transition', () => {
  test('goes from the last to the first and back', () => {
    const next = transitionTo(at('c', 2), slides('abc'), 3, { direction: 1, isInstant: false })
    expect(next).toEqual({ current: 'a', index: 0, leaving: 'c', direction: 1, from: '0px' })
    const back = transitionTo(at('a', 0), slides('abc'), -1, {
      direction: -1,
      from: '40px',
      isInstant: false,
    })
    expect(back).toEqual({ current: 'c', index: 2, leaving: 'a', direction: -1, from: '40px' })
  })

  test('moves nothing with reduced motion', () => {
    expect(transitionTo(at('a', 0), slides('ab'), 1, { direction: 1, isInstant: true })).toEqual(at('b', 1))
  })

  test('to the shown slide is no change', () => {
    const transition = at('a', 0)
    expect(transitionTo(transition, slides('a'), 1, { direction: 1, isInstant: false })).toBe(transition)
  })

  test('back after a released drag, the other slide leaves to its side', () => {
    expect(transitionBack(at('a', 0), slides('abc'), -30)).toEqual({
      ...at('a', 0),
      leaving: 'b',
      direction: -1,
      from: 'calc(100% + -30px)',
    })
    expect(transitionBack(at('a', 0), slides('abc'), 30)).toMatchObject({ leaving: 'c', direction: 1 })
    expect(transitionBack(at('a', 0), slides('abc'), 0)).toEqual(at('a', 0))
  })
})
