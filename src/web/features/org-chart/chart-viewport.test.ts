import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clampScale,
  firstScale,
  fittingScale,
  greatestScale,
  leastScale,
  scaleAfterWheel,
} from './chart-viewport.tsx'

describe('the scale at which a chart fits', () => {
  test.each([
    [{ width: 500, height: 400 }, { width: 1000, height: 800 }, 1],
    [{ width: 2000, height: 400 }, { width: 1000, height: 800 }, 0.5],
    [{ width: 1000, height: 3200 }, { width: 1000, height: 800 }, 0.25],
    [{ width: 90_000, height: 800 }, { width: 1000, height: 800 }, leastScale],
    [{ width: 0, height: 0 }, { width: 1000, height: 800 }, 1],
  ])('%j on %j is %d', (chart, screen, scale) => {
    expect(fittingScale(chart, screen)).toBe(scale)
  })
})

describe('the scale that a chart begins with', () => {
  test.each([
    ['a small chart in its own size', { width: 500, height: 400 }, 1],
    ['a chart of a school as a whole', { width: 1600, height: 1000 }, 0.625],
    ['a chart of hundreds as far as it can be read', { width: 9000, height: 1000 }, 0.6],
  ])('shows %s', (_what, chart, scale) => {
    expect(firstScale(chart, { width: 1000, height: 800 })).toBe(scale)
  })
})

describe('a turn of the wheel', () => {
  test('forth and back leads to where it began, and never beyond the limits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 1.5, noNaN: true }),
        fc.integer({ min: -1_000, max: 1_000 }),
        (scale, delta) => {
          const turned = scaleAfterWheel(scale, delta)
          expect(turned).toBe(clampScale(turned))
          if (turned > leastScale && turned < greatestScale) {
            expect(scaleAfterWheel(turned, -delta)).toBeCloseTo(scale, 6)
          }
        },
      ),
    )
  })

  test('away from oneself makes it larger', () => {
    expect(scaleAfterWheel(1, -100)).toBeGreaterThan(1)
    expect(scaleAfterWheel(1, 100)).toBeLessThan(1)
  })
})
