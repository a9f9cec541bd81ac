import { expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { formSections, progressOf, requiredOf, stepOf } from './form-progress.tsx'
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

const preset = { academicYear: '2026-2027', citizenship: 'Filipino' }
const all = ['consent', 'coverage', 'education', 'emergency', 'name', 'personal']

test('a form with nothing but its presets has 0 of 16 required answers', () => {
  expect(progressOf({ ...empty, ...preset }, preset)).toEqual({ answered: 0, total: 16, complete: new Set() })
})

test('a full form has all required answers, and its sections are complete', () => {
  const { answered, complete } = progressOf(full, preset)
  expect(answered).toBe(16)
  expect([...complete].sort()).toEqual(all)
})

test('a preset counts with the last other answer of its section, another one at once', () => {
  const studies = { ...empty, ...preset, course: 'SOICT' }
  expect(progressOf(studies, preset).answered).toBe(1)
  expect(progressOf({ ...studies, academicYear: '2025-2026' }, preset).answered).toBe(2)
  expect(progressOf({ ...studies, yearLevel: '1st Year' }, preset).answered).toBe(3)
})

test('the consent is no answer: it is ticked below them', () => {
  expect(progressOf({ ...full, consent: '' })).toMatchObject({ answered: 16, total: 16 })
  expect(progressOf({ ...full, consent: '' }).complete).not.toContain('consent')
})

test('a minor has three answers about the guardian more, and two ticks', () => {
  const nameless = { ...full, guardianName: '', guardianConsent: 'true' }
  expect(progressOf(nameless, preset, true)).toMatchObject({ answered: 18, total: 19 })
  expect(progressOf(nameless, preset, true).complete).not.toContain('family')
  expect([...progressOf({ ...full, guardianConsent: 'true' }, preset, true).complete].sort()).toEqual(
    [...all, 'family'].sort(),
  )
  expect(progressOf(full, preset, true).complete).not.toContain('consent')
})

test('a minor’s guardian is asked for with the birth date', () => {
  expect(stepOf('guardianName', false)).toBe('more')
  expect(stepOf('guardianName', true)).toBe('personal')
  expect(stepOf('fatherName', true)).toBe('more')
})

test('a code of the day is one more required answer', () => {
  expect(progressOf({ ...full, dayCode: ' ' })).toMatchObject({ answered: 16, total: 17 })
  expect(progressOf({ ...full, dayCode: ' ' }).complete).not.toContain('consent')
  expect(progressOf({ ...full, dayCode: 'ABCD' })).toMatchObject({ answered: 17, total: 17 })
})

test('optional answers and blanks do not count', () => {
  expect(progressOf({ ...empty, middleName: 'Peña', lastName: '  ' }).answered).toBe(0)
})

test('a date of birth counts when all three parts are there', () => {
  expect(progressOf({ ...empty, birthMonth: '5', birthDay: '14' }).answered).toBe(0)
  expect(progressOf({ ...empty, birthMonth: '5', birthDay: '14', birthYear: '2007' }).answered).toBe(1)
})

test('the sections have their order', () => {
  expect(formSections.map((section) => [section.title, requiredOf(section).length > 0])).toEqual([
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
