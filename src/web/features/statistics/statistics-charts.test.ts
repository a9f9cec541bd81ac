import { expect, test } from 'vitest'
import type { Statistics } from '#shared/statistics/statistics-response.ts'
import { axisEnd, bucketsBeside, labelSteps } from './statistics-charts.tsx'
import { emptyStatistics } from './statistics-dashboard.tsx'

test('an axis ends at a round number above every count that can be halved', () => {
  expect([0, 1, 2, 3, 5, 7, 11, 38, 41, 99, 101, 1200, 20_000].map(axisEnd)).toEqual([
    2, 2, 2, 4, 6, 8, 20, 40, 60, 100, 200, 2000, 20_000,
  ])
})

test('only a period that fits bucket by bucket is drawn beside another', () => {
  const of = (period: Statistics['period'], unit: 'month' | 'day', count: number): Statistics => ({
    ...emptyStatistics({ period, component: 'all' }),
    registrations: {
      unit,
      buckets: Array.from({ length: count }, (_, index) => ({
        start: `2026-0${index + 1}-01`,
        count: index,
      })),
    },
  })
  const shown = of('current-semester', 'month', 6)
  expect(bucketsBeside(shown, of('last-semester', 'month', 5))).toHaveLength(5)
  expect(bucketsBeside(shown, of('all-time', 'month', 5))).toBeNull()
  expect(bucketsBeside(shown, of('last-7-days', 'day', 6))).toBeNull()
  expect(bucketsBeside(shown, of('current-year', 'month', 9))).toBeNull()
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
