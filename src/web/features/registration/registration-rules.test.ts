import { expect, test } from 'vitest'
import { academicYears, courses } from '#shared/students/student-choices.ts'
import { bodyOf, valuesOf } from './form-values.ts'
import { findProblems } from './registration-rules.ts'

const offer = { today: '2026-11-20', courses, academicYears }

test('an empty form breaks seventeen rules, in the order of its fields', () => {
  const problems = findProblems(bodyOf(valuesOf(new FormData())), offer)
  expect(problems).toHaveLength(17)
  expect(problems[0]).toEqual({ path: 'lastName', message: 'Please fill in the last name field.' })
  expect(problems.at(-1)).toEqual({
    path: 'consent',
    message: 'Please tick the box to agree to the privacy notice.',
  })
})

test('an incomplete date is an invalid date, not a missing one', () => {
  const form = new FormData()
  form.set('birthDay', '14')
  const problems = findProblems(bodyOf(valuesOf(form)), offer)
  expect(problems.find(({ path }) => path === 'dateOfBirth')?.message).toBe(
    'Please enter a valid date of birth.',
  )
})
