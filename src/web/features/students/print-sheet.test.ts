import { describe, expect, test } from 'vitest'
import { chooseFit, isSettled } from './print-sheet.tsx'

// CSS pixels: a little less than A4 within its margins.
const full = 1020

describe('fitting a sheet of two parts on pages', () => {
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

  test('they take a loose page each rather than a tight single page', () => {
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

describe('tighter levels are measured only where they can change something', () => {
  test('not when both parts share one page already', () => {
    expect(isSettled([[500, 500]], true)).toBe(true)
  })

  test('not when each part fits a page and may not share one', () => {
    expect(isSettled([[900, 700]], false)).toBe(true)
  })

  test('once more where a little tightening may bring both onto one page, and no further', () => {
    expect(isSettled([[700, 700]], true)).toBe(false)
    const squeezed = [
      [700, 700],
      [600, 600],
    ]
    expect(isSettled(squeezed, true)).toBe(true)
  })

  test('until a long part fits, or the tightest is reached', () => {
    expect(isSettled([[full + 50, 700]], false)).toBe(false)
    expect(
      isSettled(
        [
          [full + 50, 700],
          [full - 50, 650],
        ],
        false,
      ),
    ).toBe(true)
    const never = Array.from({ length: 5 }, () => [full + 500, 700])
    expect(isSettled(never.slice(0, 4), false)).toBe(false)
    expect(isSettled(never, false)).toBe(true)
  })
})
