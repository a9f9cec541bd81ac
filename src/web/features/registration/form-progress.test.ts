import { expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { formSections, progressOf } from './form-progress.tsx'
import { type FormValues, valuesOf } from './form-values.ts'

const empty = valuesOf(new FormData())
const {
  dateOfBirth: _date,
  consent: _consent,
  guardianConsent: _guardian,
  dayCode: _none,
  ...answers
} = buildRegistration()
const full: FormValues = { ...answers, birthMonth: '5', birthDay: '14', birthYear: '2007', consent: 'true' }

test('an empty form has 0 of 17 required answers', () => {
  expect(progressOf(empty)).toEqual({ answered: 0, total: 17, complete: new Set() })
})

test('a full form has all required answers, and its sections are complete', () => {
  const { answered, complete } = progressOf(full)
  expect(answered).toBe(17)
  expect([...complete].sort()).toEqual(['consent', 'coverage', 'education', 'emergency', 'name', 'personal'])
})

test('a code of the day is one more required answer', () => {
  expect(progressOf({ ...full, dayCode: ' ' })).toMatchObject({ answered: 17, total: 18 })
  expect(progressOf({ ...full, dayCode: ' ' }).complete).not.toContain('consent')
  expect(progressOf({ ...full, dayCode: 'ABCD' })).toMatchObject({ answered: 18, total: 18 })
})

test('optional answers and blanks do not count', () => {
  expect(progressOf({ ...empty, middleName: 'Peña', lastName: '  ' }).answered).toBe(0)
})

test('a date of birth counts when all three parts are there', () => {
  expect(progressOf({ ...empty, birthMonth: '5', birthDay: '14' }).answered).toBe(0)
  expect(progressOf({ ...empty, birthMonth: '5', birthDay: '14', birthYear: '2007' }).answered).toBe(1)
})

test('the sections are those of the specification, in its order', () => {
  expect(formSections.map(({ title, isRequired }) => [title, isRequired])).toEqual([
    ['Student name', true],
    ['Address and personal data', true],
    ['Educational information', true],
    ['Parent / guardian', false],
    ['Educational background', false],
    ['Work experience', false],
    ['Skills and hobbies', false],
    ['Emergency contact', true],
    ['Coverage', true],
  ])
})
