import { describe, expect, test } from 'vitest'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { buildStudentRecord } from '#tests/factories/student-record.ts'
import { differingFields, type EditValues, editValuesOf, mergeEdits } from './edit-conflict.tsx'

const base: EditValues = editValuesOf(
  buildStudentRecord({ firstName: 'Juan', middleName: '', sex: 'Male', address: '12 Mabini Street' }),
)

describe('two changes of one record', () => {
  test('in different fields are merged, and the other one is shown', () => {
    const merge = mergeEdits(base, { ...base, course: 'SOTE' }, { ...base, firstName: 'Juana' })
    expect(merge.values).toEqual({ ...base, course: 'SOTE', firstName: 'Juana' })
    expect(merge.differences).toEqual([{ field: 'course', was: 'SOICT', theirs: 'SOTE', mine: 'SOICT' }])
    expect(merge.contested).toEqual([])
  })

  test('in the same field need a choice; the typed value stays until then', () => {
    const merge = mergeEdits(base, { ...base, address: 'Manila' }, { ...base, address: 'Cebu' })
    expect(merge.values.address).toBe('Cebu')
    expect(merge.differences).toEqual([
      { field: 'address', was: '12 Mabini Street', theirs: 'Manila', mine: 'Cebu' },
    ])
    expect(merge.contested).toEqual(['address'])
  })

  test('to the same value are not a difference', () => {
    const both = { ...base, sex: 'Female' }
    const merge = mergeEdits(base, both, both)
    expect(merge.values).toEqual(both)
    expect(merge.differences).toEqual([])
  })

  test('of which one emptied the field that the other changed', () => {
    const merge = mergeEdits(base, { ...base, middleName: 'Peña' }, { ...base, email: '' })
    expect(merge.values).toEqual({ ...base, middleName: 'Peña', email: '' })
    const emptied = mergeEdits({ ...base, middleName: 'Peña' }, base, { ...base, middleName: 'Pena' })
    expect(emptied.contested).toEqual(['middleName'])
  })

  test('come in the order of the form', () => {
    const theirs = { ...base, address: 'Manila', firstName: 'Pedro' }
    const { differences } = mergeEdits(base, theirs, base)
    expect(differences.map(({ field }) => field)).toEqual(['firstName', 'address'])
  })

  test('outside of the form (archived, for example) leave it alone', () => {
    const merge = mergeEdits(base, base, { ...base, email: 'j@example.ph' })
    expect(merge.differences).toEqual([])
    expect(merge.values.email).toBe('j@example.ph')
  })
})

test('surrounding spaces are ignored, as they are not stored', () => {
  expect(differingFields(base, { ...base, firstName: ' Juan ' })).toEqual([])
  expect(mergeEdits(base, { ...base, course: 'SOTE' }, { ...base, course: ' SOTE ' }).differences).toEqual([])
})

test('all fields of a record are read and nothing else, the year level as its label', () => {
  expect(Object.keys(base).sort()).toEqual([...studentFieldNames].sort())
  expect(base).toMatchObject({ firstName: 'Juan', dateOfBirth: '2007-03-15', yearLevel: '1st Year' })
})

test('a change of any field of the record is shown', () => {
  const theirs = { ...base, dateOfBirth: '2006-03-15', yearLevel: '2nd Year', skills: 'Driving' }
  const mine = { ...base, dateOfBirth: '2005-03-15' }
  const { values, differences, contested } = mergeEdits(base, theirs, mine)
  expect(differences.map(({ field }) => field)).toEqual(['dateOfBirth', 'yearLevel', 'skills'])
  expect(contested).toEqual(['dateOfBirth'])
  expect(values).toMatchObject({ dateOfBirth: '2005-03-15', yearLevel: '2nd Year', skills: 'Driving' })
})
