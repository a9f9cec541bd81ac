import { describe, expect, test } from 'vitest'
import { importFieldLabel, importFields } from '#shared/imports/imports.ts'
import { findHeader, guessColumns, guessField } from '../upload-file.ts'

test('every field is recognized by its label and by its name', () => {
  for (const field of importFields.filter((name) => name !== 'program')) {
    expect([guessField(importFieldLabel(field)), guessField(field)]).toEqual([field, field])
  }
})

test.each([
  ['Surname', 'lastName'],
  ['FAMILY NAME', 'lastName'],
  ['Given Name(s)', 'firstName'],
  ['M.I.', 'middleName'],
  ['Birthdate', 'dateOfBirth'],
  ['Date of Birth (mm/dd/yyyy)', 'dateOfBirth'],
  ['Gender', 'sex'],
  ['Mobile No.', 'contactNumber'],
  ['Cellphone #', 'contactNumber'],
  ['E-mail Address', 'email'],
  ['School/Department', 'course'],
  ['Program', 'course'],
  ['Student No.', 'studentId'],
  ['S.Y.', 'academicYear'],
  ['Year & Level', 'yearLevel'],
  ['Year Level', 'yearLevel'],
  ["Mother's Maiden Name", 'motherName'],
  ['Contact Person in Case of Emergency', 'emergencyContactName'],
  ['Emergency Contact No.', 'emergencyContactNumber'],
  ['Component *', 'nstpComponent'],
  ['Timestamp', 'registrationDate'],
  ['Problem', null],
  ['Reference', 'reference'],
  ['', null],
])('%s → %s', (header, field) => {
  expect(guessField(header)).toBe(field)
})

test('of two columns for one field the first is taken', () => {
  expect(guessColumns(['Email', 'E-mail', 'Course'])).toEqual(['email', null, 'course'])
})

test.each([
  [['Program'], ['course']],
  [
    ['Degree Program', 'Year Level'],
    ['course', 'yearLevel'],
  ],
  [
    ['Degree', 'Program'],
    ['course', null],
  ],
  [
    ['Course', 'Degree Program'],
    ['course', 'program'],
  ],
  [
    ['Program', 'College/Department'],
    ['program', 'course'],
  ],
  [
    ['PROGRAM *', 'Department', 'Degree'],
    ['program', 'course', null],
  ],
])('the degree program has a field where another column is the course: %j', (headers, fields) => {
  expect(guessColumns(headers)).toEqual(fields)
})

describe('the row of headings', () => {
  const row = (...cells: string[]) => ({ number: 1, cells })

  test('is found below the name of the school and the title of the list', () => {
    expect(
      findHeader([
        row('Republic of the Philippines'),
        row('NSTP Masterlist', '', 'SY 2026-2027'),
        row('No.', 'Surname', 'First Name', 'Course'),
        row('1', 'Cruz', 'Ana', 'SOICT'),
      ]),
    ).toBe(2)
  })

  test('is the first row when no heading is recognized', () => {
    expect(findHeader([row('a', 'b'), row('c', 'd')])).toBe(0)
  })
})
