import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageOn, calendarDateOf, isCalendarDate } from './program-calendar.ts'

const calendarDates = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe("the program's day", () => {
  test('begins at midnight in Manila, eight hours before UTC', () => {
    expect(calendarDateOf(new Date('2026-11-20T15:59:59.999Z'), 'Asia/Manila')).toBe('2026-11-20')
    expect(calendarDateOf(new Date('2026-11-20T16:00:00Z'), 'Asia/Manila')).toBe('2026-11-21')
  })

  test('follows the zone of the program', () => {
    expect(calendarDateOf(new Date('2026-01-01T03:00:00Z'), 'America/New_York')).toBe('2025-12-31')
  })
})

describe('a calendar date', () => {
  test.each(['2024-02-29', '2000-02-29', '2026-12-31', '1999-01-01'])('%s exists', (text) => {
    expect(isCalendarDate(text)).toBe(true)
  })

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2024-2-9',
    '24-02-29',
    '2024-02-29T00:00:00Z',
    ' 2024-02-29',
    'yesterday',
    '--',
    '',
  ])('%j does not', (text) => {
    expect(isCalendarDate(text)).toBe(false)
  })

  test('every day of two centuries exists', () => {
    fc.assert(fc.property(calendarDates, (date) => isCalendarDate(date)))
  })
})

describe('age in whole years', () => {
  test('grows on the birthday, not before', () => {
    expect(ageOn('2026-05-13', '2010-05-14')).toBe(15)
    expect(ageOn('2026-05-14', '2010-05-14')).toBe(16)
    expect(ageOn('2026-05-15', '2010-05-14')).toBe(16)
  })

  test('of a person born on 29 February grows on that day in leap years and on 1 March in others', () => {
    expect(ageOn('2024-02-28', '2008-02-29')).toBe(15)
    expect(ageOn('2024-02-29', '2008-02-29')).toBe(16)
    expect(ageOn('2025-02-28', '2008-02-29')).toBe(16)
    expect(ageOn('2025-03-01', '2008-02-29')).toBe(17)
  })

  test('is 0 on the day of birth', () => {
    expect(ageOn('2026-11-20', '2026-11-20')).toBe(0)
  })

  test('never falls as days pass', () => {
    fc.assert(
      fc.property(calendarDates, calendarDates, calendarDates, (birth, one, other) => {
        const [earlier, later] = one < other ? [one, other] : [other, one]
        return ageOn(earlier, birth) <= ageOn(later, birth)
      }),
    )
  })

  test('is the number of birthdays since birth', () => {
    fc.assert(
      fc.property(calendarDates, fc.integer({ min: 0, max: 120 }), (birth, years) => {
        fc.pre(!birth.endsWith('02-29'))
        const birthday = `${Number(birth.slice(0, 4)) + years}${birth.slice(4)}`
        return ageOn(birthday, birth) === years
      }),
    )
  })
})
