import { describe, expect, test } from 'vitest'
import { studentFieldNames } from '#shared/student-fields.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { bodyOf, controlNames, textOf, valuesOf } from './form-values.ts'

/** A form as the browser would post it. */
function postedForm(entries: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(entries)) form.set(name, value)
  return form
}

const { dateOfBirth: _date, consent: _consent, ...answers } = buildRegistration()
const typed = { ...answers, birthMonth: '5', birthDay: '14', birthYear: '2007', consent: 'true' }

describe('a filled form', () => {
  test('is the body that the API takes', () => {
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
