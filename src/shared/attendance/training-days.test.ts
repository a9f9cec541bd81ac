import { expect, test } from 'vitest'
import {
  datesOn,
  isDayOf,
  meetTogether,
  newTrainingDaysSchema,
  trainingDayMessages,
} from './training-days.ts'

test.each([
  [[6], ['2026-08-08', '2026-08-15']],
  [
    [6, 0],
    ['2026-08-08', '2026-08-09', '2026-08-15', '2026-08-16'],
  ],
  [[1], ['2026-08-10']],
  [[], []],
])('the days of a term on the weekdays %j', (weekdays, dates) => {
  expect(datesOn({ startsOn: '2026-08-04', endsOn: '2026-08-16' }, weekdays)).toEqual(dates)
})

const dayOf = (level: 1 | 2 | null, ...sectionIds: string[]) => ({
  level,
  sectionIds,
  cancelledSectionIds: ['c'],
})

test.each([
  [dayOf(1), dayOf(2), false],
  [dayOf(null), dayOf(2), true],
  [dayOf(1, 'a'), dayOf(1), true],
  [dayOf(1, 'a'), dayOf(1, 'b'), false],
  [dayOf(1, 'a', 'b'), dayOf(1, 'b'), true],
])('days %# have a student in common: %j %j', (one, other, isSo) => {
  expect(meetTogether(one, other)).toBe(isSo)
  expect(meetTogether(other, one)).toBe(isSo)
})

test.each([
  [dayOf(1), 'a', true],
  [dayOf(1), 'c', false],
  [dayOf(1), null, true],
  [dayOf(1, 'a'), 'a', true],
  [dayOf(1, 'a'), 'b', false],
  [dayOf(1, 'a'), null, false],
])('a section’s day: %j %s %s', (day, section, isSo) => {
  expect(isDayOf(day, section)).toBe(isSo)
})

test('a day’s form names what is wrong', () => {
  const day = { component: 'CWTS', level: null, on: ['2026-08-08'], startsAt: '', hours: 4 }
  const problemsOf = (change: object) =>
    newTrainingDaysSchema
      .safeParse({ ...day, ...change })
      .error?.issues.map(({ path, message }) => [path.join('.'), message])
  expect(problemsOf({})).toBeUndefined()
  expect(problemsOf({ hours: 4.3 })).toEqual([['hours', trainingDayMessages.hours]])
  expect(problemsOf({ startsAt: '7:30' })).toEqual([['startsAt', trainingDayMessages.startsAt]])
  expect(problemsOf({ on: ['2026-08-08', '2026-08-08'] })).toEqual([['on', trainingDayMessages.twice]])
  expect(problemsOf({ on: [] })).toEqual([['on', trainingDayMessages.none]])
})
