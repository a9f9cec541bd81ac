import { expect, test } from 'vitest'
import { fieldDefinition, fieldWords, studentFieldNames } from './student-fields.ts'

test('these sixteen fields are required at registration (product 2.3)', () => {
  expect(studentFieldNames.filter((field) => fieldDefinition(field).required)).toEqual([
    'lastName',
    'firstName',
    'address',
    'dateOfBirth',
    'placeOfBirth',
    'sex',
    'civilStatus',
    'contactNumber',
    'email',
    'citizenship',
    'course',
    'yearLevel',
    'academicYear',
    'emergencyContactName',
    'emergencyContactNumber',
    'nstpComponent',
  ])
})

test('the fields of a section are adjacent, the sections in form order', () => {
  const sections = studentFieldNames.map((field) => fieldDefinition(field).section)
  const inOrder = sections.filter((section, index) => section !== sections[index - 1])
  expect(inOrder).toEqual([
    'name',
    'personal',
    'education',
    'family',
    'background',
    'work',
    'skills',
    'emergency',
    'coverage',
  ])
})

test('a field name becomes lower-case words', () => {
  expect(fieldWords('lastName')).toBe('last name')
  expect(fieldWords('dateOfBirth')).toBe('date of birth')
  expect(fieldWords('nstpComponent')).toBe('nstp component')
  expect(fieldWords('email')).toBe('email')
})
