import { expect, test } from 'vitest'
import { isAcademicYear, sortParts, studentSorts } from './students.ts'

test('an academic year is two years in a row', () => {
  expect(isAcademicYear('2026-2027')).toBe(true)
  for (const text of ['2026-2026', '2026-2028', '2027-2026', '2026', '2026-27', ' 2026-2027', '']) {
    expect(isAcademicYear(text), text).toBe(false)
  }
})

test('a sort is a column, with a minus for the other direction', () => {
  expect(sortParts('name')).toEqual({ key: 'name', descending: false })
  expect(sortParts('-registrationDate')).toEqual({ key: 'registrationDate', descending: true })
  expect(new Set(studentSorts.map((sort) => sortParts(sort).key)).size).toBe(studentSorts.length / 2)
})
