import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { composeBirthDate } from './birth-date.ts'

const parts = (birthMonth: string, birthDay: string, birthYear: string) => ({
  birthMonth,
  birthDay,
  birthYear,
})

test('three parts make a calendar date', () => {
  expect(composeBirthDate(parts('5', '14', '2007'))).toBe('2007-05-14')
  expect(composeBirthDate(parts('12', '1', '2008'))).toBe('2008-12-01')
  expect(composeBirthDate(parts('2', ' 29 ', '2008 '))).toBe('2008-02-29')
})

test('nothing entered is nothing', () => {
  expect(composeBirthDate(parts('', '', ''))).toBe('')
  expect(composeBirthDate(parts('', ' ', ''))).toBe('')
})

test.each([
  parts('5', '', '2007'),
  parts('', '14', '2007'),
  parts('5', '14', ''),
  parts('5', '14', '07'),
  parts('2', '30', '2007'),
  parts('13', '1', '2007'),
  parts('May', '14', '2007'),
  parts('5', 'x', '2007'),
])('an incomplete or impossible date is no date, and not nothing: %j', (entered) => {
  const composed = composeBirthDate(entered)
  expect(composed).not.toBe('')
  expect(isCalendarDate(composed)).toBe(false)
})

test('every date of a century can be entered', () => {
  const dates = fc.date({ min: new Date('1930-01-01'), max: new Date('2029-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      const [year = '', month = '', day = ''] = date.toISOString().slice(0, 10).split('-')
      const entered = parts(String(Number(month)), String(Number(day)), year)
      return composeBirthDate(entered) === `${year}-${month}-${day}`
    }),
  )
})
