import { expect, test } from 'vitest'
import type { ImportField } from '#shared/imports/imports.ts'
import { readValue } from './check-rows.ts'

const rules = { dateOrder: 'month-first', today: '2026-11-20', courses: ['SOICT', 'SOBM'] } as const

const cases: [ImportField, string, string][] = [
  ['sex', 'm', 'Male'],
  ['sex', 'FEMALE', 'Female'],
  ['sex', 'Lalaki', 'Male'],
  ['sex', 'unsure', 'unsure'],
  ['yearLevel', '1', '1st Year'],
  ['yearLevel', '2nd', '2nd Year'],
  ['yearLevel', '3rd year', '3rd Year'],
  ['yearLevel', 'IV', '4th Year'],
  ['yearLevel', 'First Year', '1st Year'],
  ['yearLevel', '7', '7'],
  ['nstpComponent', 'rotc', 'ROTC'],
  ['nstpComponent', 'NSTP-CWTS', 'CWTS'],
  ['nstpComponent', 'Literacy Training Service', 'LTS'],
  ['nstpComponent', 'ROTC or CWTS', 'ROTC or CWTS'],
  ['academicYear', '2026-27', '2026-2027'],
  ['academicYear', 'A.Y. 2026–2027', '2026-2027'],
  ['academicYear', 'SY 2026/2027', '2026-2027'],
  ['academicYear', '2026', '2026'],
  ['contactNumber', '9171234567', '09171234567'],
  ['contactNumber', '+63 (917) 123-4567', '+63 (917) 123-4567'],
  ['contactNumber', '917 123 4567', '0917 123 4567'],
  ['contactNumber', '0917\u00a0123\u00a04567', '0917 123 4567'],
  ['contactNumber', '(0917) 123-4567', '(0917) 123-4567'],
  ['contactNumber', 'CP: 0917 123 4567', 'CP: 0917 123 4567'],
  ['contactNumber', '6.39171E+11', '6.39171E+11'],
  ['studentId', '4711.0', '4711'],
  ['studentId', '107235000000.00', '107235000000'],
  ['studentId', '2026.00071', '2026.00071'],
  ['contactNumber', '0917.123.4567', '0917 123 4567'],
  ['contactNumber', '0917–123–4567', '0917-123-4567'],
  ['contactNumber', '(917) 123-4567', '09171234567'],
  ['contactNumber', '+63 917 123 4567', '+63 917 123 4567'],
  ['contactNumber', '9171234567.0', '09171234567'],
  ['contactNumber', '09171234567.00', '09171234567'],
  ['contactNumber', "'09171234567", '09171234567'],
  ['contactNumber', '639171234567', '+639171234567'],
  ['contactNumber', '63 917 123 4567', '+63 917 123 4567'],
  ['contactNumber', '+63-917-123-4567', '+63-917-123-4567'],
  ['contactNumber', '917-123-4567', '0917-123-4567'],
  ['contactNumber', '046 432 1234', '046 432 1234'],
  ['contactNumber', '1.07E+11', '1.07E+11'],
  ['zipCode', '410', '0410'],
  ['bloodType', 'o positive', 'O+'],
  ['bloodType', 'AB −', 'AB-'],
  ['bloodType', '0+', 'O+'],
  ['civilStatus', 'SINGLE', 'Single'],
  ['civilStatus', 'Widow', 'Widowed'],
  ['course', 'soict', 'SOICT'],
  ['course', 'BSIT', 'BSIT'],
  ['email', 'mailto:a@x.example', 'a@x.example'],
  ['address', ' Blk 4\nCavite ', 'Blk 4 Cavite'],
  ['skills', 'a\nb', 'a\nb'],
  ['religion', 'N/A', ''],
  ['lastName', 'N/A', 'N/A'],
  ['middleName', 'Na', 'Na'],
  ['dateOfBirth', '13 May 2006', '2006-05-13'],
  ['registrationDate', '8/3/2026 9:15 AM', '2026-08-03 09:15:00'],
]

test.each(cases)('%s: %j is read as %j', (field, text, value) => {
  expect(readValue(field, text, rules)).toBe(value)
})

test.each(cases)("%s: parsing the result of %j again doesn't change it", (field, _text, value) => {
  expect(readValue(field, value, rules)).toBe(value)
})
