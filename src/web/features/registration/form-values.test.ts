import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCalendarDate } from '#shared/program-calendar.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { composeBirthDate } from '#web/lib/birth-date.ts'
import { bodyOf, controlNames, submissionKeyOf, textOf, valuesOf } from './form-values.ts'

function postedForm(entries: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(entries)) form.set(name, value)
  return form
}

const {
  dateOfBirth: _date,
  consent: _consent,
  guardianConsent: _guardian,
  dayCode: _none,
  ...answers
} = buildRegistration()
const typed = { ...answers, birthMonth: '5', birthDay: '14', birthYear: '2007', consent: 'true' }

describe('a filled form', () => {
  test('is a valid API body', () => {
    expect(bodyOf(valuesOf(postedForm(typed)))).toEqual(buildRegistration({ dateOfBirth: '2007-05-14' }))
  })

  test('posted by the browser is the same as collected by a script, line breaks included', () => {
    const collected = valuesOf(postedForm({ ...typed, workExperience: 'one\ntwo' }))
    const posted = valuesOf(postedForm({ ...typed, workExperience: 'one\r\ntwo' }))
    expect(posted).toEqual(collected)
  })

  test('sends the fields of the record and nothing else of the page', () => {
    const body = bodyOf(valuesOf(postedForm({ ...typed, idempotencyKey: 'a-key', coverage: 'CWTS' })))
    expect(Object.keys(body)).toEqual([...studentFieldNames, 'consent'])
  })
})

describe('an empty form', () => {
  test('has an empty text for every control', () => {
    expect(valuesOf(new FormData())).toEqual({
      ...Object.fromEntries(controlNames.map((name) => [name, ''])),
      consent: '',
    })
  })

  test('has no consent: an unticked box is absent, not false', () => {
    expect(bodyOf(valuesOf(new FormData()))).not.toHaveProperty('consent')
  })
})

test('a file where a text belongs is no text', () => {
  const form = new FormData()
  form.set('lastName', new File(['x'], 'x.txt'))
  expect(textOf(form, 'lastName')).toBe('')
})

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

function formWith(key: string | undefined): FormData {
  const form = new FormData()
  if (key !== undefined) form.set('idempotencyKey', key)
  return form
}

test('a form sends its own idempotency key', () => {
  expect(submissionKeyOf(formWith('a-key-of-this-form'))).toBe('a-key-of-this-form')
})

test.each([
  undefined,
  '',
  'short',
  'fifteen-letters',
  'señor-ñandú-ключ',
  'a key with spaces',
  'x'.repeat(129),
])('a key that the API would refuse is replaced by a new one: %s', (key) => {
  expect(submissionKeyOf(formWith(key))).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})
