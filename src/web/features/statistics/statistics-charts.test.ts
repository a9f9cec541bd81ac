import { expect, test } from 'vitest'
import { axisEnd, labelSteps } from './statistics-charts.tsx'

test('an axis ends at a round number above every count that can be halved', () => {
  expect([0, 1, 2, 3, 5, 7, 11, 38, 41, 99, 101, 1200, 20_000].map(axisEnd)).toEqual([
    2, 2, 2, 4, 6, 8, 20, 40, 60, 100, 200, 2000, 20_000,
  ])
})

test('no more labels than there is room for', () => {
  for (let buckets = 1; buckets <= 60; buckets++) {
    const { narrow, wide } = labelSteps(buckets)
    expect(Math.ceil(buckets / wide)).toBeLessThanOrEqual(12)
    expect(Math.ceil(buckets / narrow)).toBeLessThanOrEqual(6)
    expect(narrow % wide).toBe(0)
  }
  expect(labelSteps(5)).toEqual({ narrow: 1, wide: 1 })
})
