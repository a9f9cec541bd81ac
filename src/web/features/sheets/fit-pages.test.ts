import { describe, expect, test } from 'vitest'
import { chooseFit } from './fit-pages.ts'

/** Pixels of a page that hold nothing but content: a little less than A4 within its margins. */
const full = 1020

describe('a sheet of two parts goes onto whole pages', () => {
  test('both share one page when they fit it', () => {
    expect(chooseFit([[500, 500]], true)).toEqual({ pages: 1, levels: [0, 0] })
  })

  test('both share one page when a little tightening makes them fit', () => {
    const heights = [
      [540, 540],
      [500, 500],
    ]
    expect(chooseFit(heights, true)).toEqual({ pages: 1, levels: [1, 1] })
  })

  test('they take a page each, loosely set, rather than be squeezed onto one', () => {
    const heights = [
      [800, 700],
      [700, 600],
      [500, 500],
    ]
    expect(chooseFit(heights, true)).toEqual({ pages: 2, levels: [0, 0] })
  })

  test('a sheet made for two pages takes two', () => {
    expect(chooseFit([[300, 300]], false)).toEqual({ pages: 2, levels: [0, 0] })
  })

  test('only the part that is too long is tightened, and no more than it needs', () => {
    const heights = [
      [full, 1500],
      [900, 1200],
      [800, full],
      [700, 800],
    ]
    expect(chooseFit(heights, false)).toEqual({ pages: 2, levels: [0, 2] })
  })

  test('a part that fits at no level is set as tight as possible', () => {
    const heights = [
      [2000, 500],
      [1500, 400],
    ]
    expect(chooseFit(heights, false)).toEqual({ pages: 2, levels: [1, 0] })
  })
})
