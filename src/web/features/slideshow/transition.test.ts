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
const at = (shown: string, index: number): Transition => ({ ...initialTransition, shown, index })

test('the places go around', () => {
  expect([-1, 0, 2, 3].map((index) => wrapIndex(index, 3))).toEqual([2, 0, 2, 0])
  expect(wrapIndex(5, 0)).toBe(0)
})

describe('while slides come and go', () => {
  test('it begins with the first', () => {
    expect(followSlides(initialTransition, slides('abc'))).toEqual(at('a', 0))
    expect(followSlides(initialTransition, [])).toEqual(initialTransition)
  })

  test('the one that is seen stays, wherever it stands now', () => {
    const turn = at('b', 1)
    expect(followSlides(turn, slides('abc'))).toBe(turn)
    expect(followSlides(turn, slides('xyab'))).toEqual(at('b', 3))
    expect(followSlides(turn, slides('b'))).toEqual(at('b', 0))
  })

  test('in the place of one that is gone the next is seen, at the end the last', () => {
    expect(followSlides(at('b', 1), slides('acd'))).toEqual(at('c', 1))
    expect(followSlides({ ...at('c', 2), leaving: 'b' }, slides('ab'))).toEqual(at('b', 1))
  })
})

describe('turning', () => {
  test('goes from the last to the first and back', () => {
    const next = transitionTo(at('c', 2), slides('abc'), 3, { direction: 1, isInstant: false })
    expect(next).toEqual({ shown: 'a', index: 0, leaving: 'c', direction: 1, from: '0px' })
    const back = transitionTo(at('a', 0), slides('abc'), -1, {
      direction: -1,
      from: '40px',
      isInstant: false,
    })
    expect(back).toEqual({ shown: 'c', index: 2, leaving: 'a', direction: -1, from: '40px' })
  })

  test('moves nothing with reduced motion', () => {
    expect(transitionTo(at('a', 0), slides('ab'), 1, { direction: 1, isInstant: true })).toEqual(at('b', 1))
  })

  test('to the slide that is seen already is no change', () => {
    const turn = at('a', 0)
    expect(transitionTo(turn, slides('a'), 1, { direction: 1, isInstant: false })).toBe(turn)
  })

  test('back from where a finger let go, the other one leaves to its side', () => {
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
