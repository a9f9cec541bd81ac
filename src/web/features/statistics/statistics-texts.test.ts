import { expect, test } from 'vitest'
import {
  axisLines,
  bucketText,
  describeFilters,
  differenceText,
  percentText,
  yearLevelText,
} from './statistics-texts.ts'

const spaces = (text: string) => text.replace(/\s/gu, ' ')

test('a share has one decimal, and is 0 without students', () => {
  expect(percentText({ percent: 33.3 }, 3)).toBe('33.3%')
  expect(percentText({ percent: 50 }, 4)).toBe('50.0%')
  expect(percentText({ percent: 0 }, 4)).toBe('0.0%')
  expect(percentText({ percent: 0 }, 0)).toBe('0%')
})

test('the difference has a sign; all time has none to compare', () => {
  const from = (count: number) =>
    differenceText({ count, previousTotal: 5, previousDates: { first: '2026-01-01', last: '2026-05-31' } })
  expect(from(12)).toBe('+12 from last period')
  expect(from(0)).toBe('+0 from last period')
  expect(from(-1234)).toBe('−1,234 from last period')
  expect(differenceText(null)).toBe('No earlier period to compare')
})

test('the filters are described on paper and screen', () => {
  expect(describeFilters({ period: 'all-time', component: 'all' }, null)).toBe('All Time · All components')
  expect(
    spaces(
      describeFilters(
        { period: 'current-semester', component: 'ROTC' },
        { first: '2026-08-01', last: '2026-12-31' },
      ),
    ),
  ).toBe('Current Semester (Aug 1 – Dec 31, 2026) · ROTC')
})

test('year levels are numbered, the rest are the others', () => {
  expect([1, 5, null].map(yearLevelText)).toEqual(['Year 1', 'Year 5', 'Others'])
})

test('a bucket is named by its day, month or year', () => {
  expect(axisLines('2026-08-01', 'month')).toEqual(['Aug', '2026'])
  expect(axisLines('2026-11-20', 'day')).toEqual(['Nov 20'])
  expect(axisLines('2026-01-01', 'year')).toEqual(['2026'])
  expect(bucketText('2026-08-01', 'month')).toBe('August 2026')
  expect(bucketText('2026-11-20', 'day')).toBe('Nov 20, 2026')
  expect(bucketText('2026-01-01', 'year')).toBe('2026')
})
