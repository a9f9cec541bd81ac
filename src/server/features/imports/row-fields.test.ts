import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { readDate } from './row-fields.ts'

const today = '2026-11-20'
const read = (text: string, order: 'month-first' | 'day-first' = 'month-first') =>
  readDate(text, order, today)?.date ?? null

test.each([
  ['2006-05-13', '2006-05-13'],
  ['2006/5/3', '2006-05-03'],
  ['05/13/2006', '2006-05-13'],
  ['13/05/2006', '2006-05-13'],
  ['13.5.06', '2006-05-13'],
  ['13 May 2006', '2006-05-13'],
  ['13th of May', null],
  ['13-May-06', '2006-05-13'],
  ['May 13, 2006', '2006-05-13'],
  ['SEPT. 3, 1998', '1998-09-03'],
  ['3 Sep 98', '1998-09-03'],
  ['05/13/26', '2026-05-13'],
  ['13-May-26', '2026-05-13'],
  ['05/13/27', '1927-05-13'],
  ['13-May-27', '1927-05-13'],
  ['38850', '2006-05-13'],
  ['2006-05-13 09:30:00', '2006-05-13'],
  ['02/30/2006', null],
  ['2006', null],
  ['soon', null],
  ['Foo 13, 2006', null],
])('%s is %s', (text, date) => {
  expect(read(text)).toBe(date)
})

test('the order decides ambiguous dates only', () => {
  expect(read('05/06/2006', 'month-first')).toBe('2006-05-06')
  expect(read('05/06/2006', 'day-first')).toBe('2006-06-05')
  expect(read('05/13/2006', 'day-first')).toBe('2006-05-13')
})

test('the time of day is read too', () => {
  expect(readDate('8/3/2026 9:15 PM', 'month-first', today)).toEqual({ date: '2026-08-03', time: '21:15:00' })
  expect(readDate('8/3/2026 12:05:09 am', 'month-first', today)?.time).toBe('00:05:09')
  expect(readDate('2026-08-03T09:15:30.000Z', 'month-first', today)?.time).toBe('09:15:30')
})

describe('for any text', () => {
  test('the result is a valid date, or none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d/. -]{1,12}$/)), (text) => {
        const date = read(text)
        return date === null || isCalendarDate(date)
      }),
    )
  })

  test('a date in any usual format is parsed', () => {
    const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2026-11-19'), noInvalidDate: true })
    fc.assert(
      fc.property(day, (date) => {
        const iso = date.toISOString().slice(0, 10)
        const [year, month, dayOfMonth] = iso.split('-')
        const named = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date)
        expect([
          read(`${month}/${dayOfMonth}/${year}`),
          read(`${dayOfMonth}/${month}/${year}`, 'day-first'),
          read(named),
        ]).toEqual([iso, iso, iso])
      }),
    )
  })
})
