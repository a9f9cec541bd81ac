import { describe, expect, test } from 'vitest'
import {
  type CalendarPeriod,
  datesOf,
  defaultSemesters,
  isCalendarPeriod,
  type Period,
  periodRange,
  startOfDay,
} from './periods.ts'

function rangeAt(period: Period | CalendarPeriod, now: string, semesters = defaultSemesters) {
  const range = periodRange(period, { now: new Date(now), timeZone: 'Asia/Manila', semesters })
  return range && [range.from.toISOString(), range.until?.toISOString() ?? null]
}

describe('periods in Asia/Manila (UTC+8)', () => {
  test('all time has no limits', () => {
    expect(rangeAt('all-time', '2026-11-20T00:00:00Z')).toBeNull()
  })

  test('November lies in the first semester, June to December', () => {
    expect(rangeAt('current-semester', '2026-11-20T00:00:00Z')).toEqual([
      '2026-05-31T16:00:00.000Z',
      '2026-12-31T16:00:00.000Z',
    ])
  })

  test('an intake from June to September lies in one semester', () => {
    const begin = rangeAt('current-semester', '2026-06-01T00:00:00Z')
    expect(rangeAt('current-semester', '2026-07-31T15:59:59Z')).toEqual(begin)
    expect(rangeAt('current-semester', '2026-09-30T00:00:00Z')).toEqual(begin)
  })

  test('the semester before the first is the second of the year before, January to May', () => {
    expect(rangeAt('last-semester', '2026-11-20T00:00:00Z')).toEqual([
      '2025-12-31T16:00:00.000Z',
      '2026-05-31T16:00:00.000Z',
    ])
  })

  test('in January the current semester is the second and the last is the first of the year before', () => {
    expect(rangeAt('current-semester', '2027-01-10T00:00:00Z')).toEqual([
      '2026-12-31T16:00:00.000Z',
      '2027-05-31T16:00:00.000Z',
    ])
    expect(rangeAt('last-semester', '2027-01-10T00:00:00Z')).toEqual([
      '2026-05-31T16:00:00.000Z',
      '2026-12-31T16:00:00.000Z',
    ])
  })

  test('a day begins by the clock in Manila, not in UTC', () => {
    // 23:59 on 31 May and 00:00 on 1 June in Manila.
    expect(rangeAt('current-semester', '2026-05-31T15:59:59Z')?.[0]).toBe('2025-12-31T16:00:00.000Z')
    expect(rangeAt('current-semester', '2026-05-31T16:00:00Z')?.[0]).toBe('2026-05-31T16:00:00.000Z')
  })

  test.each([
    ['2026', '2025-12-31T16:00:00.000Z', '2026-12-31T16:00:00.000Z'],
    ['2026-12', '2026-11-30T16:00:00.000Z', '2026-12-31T16:00:00.000Z'],
    ['2026-02-28', '2026-02-27T16:00:00.000Z', '2026-02-28T16:00:00.000Z'],
    ['2026-11-23T02:10/2026-11-24T03:40', '2026-11-22T18:10:00.000Z', '2026-11-23T19:40:00.000Z'],
  ])('%s is a year, month, day or span of two times', (period, from, until) => {
    expect(isCalendarPeriod(period) && rangeAt(period, '2026-11-20T00:00:00Z')).toEqual([from, until])
  })

  test.each([
    ...['', '20', '2026-13', '2026-1', '0026-01', 'last-7-days', '2026-11-23T00:00', '2026-11-23/2026-11-24'],
    '2026-11-23T02:10/2026-11-23T02:10',
    '2026-11-23T02:10/2026-11-23T03:10/2026-11-23T04:10',
  ])('%j is none', (text) => expect(isCalendarPeriod(text)).toBe(false))

  test('the current year is the calendar year, from its first minute in Manila', () => {
    expect(rangeAt('current-year', '2026-12-31T15:59:59Z')).toEqual([
      '2025-12-31T16:00:00.000Z',
      '2026-12-31T16:00:00.000Z',
    ])
    expect(rangeAt('current-year', '2026-12-31T16:00:00Z')?.[0]).toBe('2026-12-31T16:00:00.000Z')
  })

  test('the last 7 days are 168 hours and have no end', () => {
    expect(rangeAt('last-7-days', '2026-11-20T05:00:00Z')).toEqual(['2026-11-13T05:00:00.000Z', null])
  })
})

describe('semesters of another school', () => {
  const trimesters = [
    { name: 'First', firstMonth: 9, lastMonth: 11 },
    { name: 'Second', firstMonth: 12, lastMonth: 2 },
    { name: 'Third', firstMonth: 3, lastMonth: 5 },
  ]

  test('may run across the end of the year', () => {
    expect(rangeAt('current-semester', '2027-02-10T00:00:00Z', trimesters)).toEqual([
      '2026-11-30T16:00:00.000Z',
      '2027-02-28T16:00:00.000Z',
    ])
  })

  test('in a month without a semester the one before is still the current one', () => {
    expect(rangeAt('current-semester', '2027-07-10T00:00:00Z', trimesters)?.[0]).toBe(
      '2027-02-28T16:00:00.000Z',
    )
  })

  test('one semester a year has the same one of the year before as its last', () => {
    const yearly = [{ name: 'Year', firstMonth: 8, lastMonth: 7 }]
    expect(rangeAt('last-semester', '2026-11-20T00:00:00Z', yearly)).toEqual([
      '2025-07-31T16:00:00.000Z',
      '2026-07-31T16:00:00.000Z',
    ])
  })

  test('without any there is no limit', () => {
    expect(rangeAt('current-semester', '2026-11-20T00:00:00Z', [])).toBeNull()
  })
})

describe('the period before', () => {
  function datesBefore(period: Period, now: string, semesters = defaultSemesters) {
    const calendar = { now: new Date(now), timeZone: 'Asia/Manila', semesters }
    const range = periodRange(period, calendar, 1)
    return range && datesOf(range, calendar)
  }

  test.each<[Period, { first: string; last: string } | null]>([
    ['all-time', null],
    ['current-semester', { first: '2026-01-01', last: '2026-05-31' }],
    ['last-semester', { first: '2025-06-01', last: '2025-12-31' }],
    ['current-year', { first: '2025-01-01', last: '2025-12-31' }],
    ['last-7-days', { first: '2026-11-06', last: '2026-11-13' }],
  ])('%s', (period, dates) => {
    expect(datesBefore(period, '2026-11-20T05:00:00Z')).toEqual(dates)
  })

  test('with one semester a year is two years back for the last one', () => {
    const yearly = [{ name: 'Year', firstMonth: 8, lastMonth: 7 }]
    expect(datesBefore('last-semester', '2026-03-01T00:00:00Z', yearly)).toEqual({
      first: '2023-08-01',
      last: '2024-07-31',
    })
  })
})

describe('the start of a day', () => {
  test('follows daylight saving', () => {
    expect(startOfDay('2026-01-15', 'Europe/Berlin').toISOString()).toBe('2026-01-14T23:00:00.000Z')
    expect(startOfDay('2026-07-15', 'Europe/Berlin').toISOString()).toBe('2026-07-14T22:00:00.000Z')
    // Clocks change at 03:00 on this day.
    expect(startOfDay('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z')
    expect(startOfDay('2026-03-30', 'Europe/Berlin').toISOString()).toBe('2026-03-29T22:00:00.000Z')
  })

  test('is the jump where clocks change at midnight', () => {
    // There is no 00:00 on 6 September 2026 in Santiago: 23:59 is followed by 01:00.
    expect(startOfDay('2026-09-06', 'America/Santiago').toISOString()).toBe('2026-09-06T04:00:00.000Z')
    // On 5 April 2026 it is 24:00 of the day before once more, an hour later.
    expect(startOfDay('2026-04-05', 'America/Santiago').toISOString()).toBe('2026-04-05T04:00:00.000Z')
  })

  test('is itself in UTC', () => {
    expect(startOfDay('2026-03-29', 'UTC').toISOString()).toBe('2026-03-29T00:00:00.000Z')
  })
})
