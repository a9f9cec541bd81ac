import { expect, test } from 'vitest'
import { defaultSemesters } from '#shared/periods.ts'
import { nextTerm, proposedDays } from './term-proposal.ts'

test('the term after the latest one is proposed', () => {
  expect(nextTerm([], '2026-2027')).toEqual({ academicYear: '2026-2027', semester: 1 })
  const first = { academicYear: '2026-2027', semester: 1 } as const
  const second = { academicYear: '2026-2027', semester: 2 } as const
  expect(nextTerm([first], '2025-2026')).toEqual(second)
  expect(nextTerm([second, first], '2025-2026')).toEqual({ academicYear: '2027-2028', semester: 1 })
})

test.each([
  ['2026-2027', 1, { startsOn: '2026-06-01', endsOn: '2026-12-31' }],
  ['2027-2028', 2, { startsOn: '2028-01-01', endsOn: '2028-05-31' }],
  ['2026-2027', 3, { startsOn: '', endsOn: '' }],
  ['', 1, { startsOn: '', endsOn: '' }],
] as const)('the days of %s, semester %i, are those of the settings', (academicYear, semester, days) => {
  expect(proposedDays(defaultSemesters, { academicYear, semester })).toEqual(days)
})

test('a semester over the turn of the year ends in the next one, on the last day of February', () => {
  const semesters = [{ name: 'First', firstMonth: 9, lastMonth: 2 }]
  expect(proposedDays(semesters, { academicYear: '2027-2028', semester: 1 })).toEqual({
    startsOn: '2027-09-01',
    endsOn: '2028-02-29',
  })
})
