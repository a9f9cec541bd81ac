import { expect, test } from 'vitest'
import { layoutCodes } from '#shared/papers/papers.ts'
import { layoutOf } from './layouts/layouts.ts'
import { streetOf, textFieldsOf } from './values.ts'

test.each([
  ['12 Rizal St.', 'Tibag', '12 Rizal St., Tibag'],
  ['12 Rizal St., Brgy. Tibag', 'TIBAG', '12 Rizal St., Brgy. Tibag'],
  ['Purok 2 Sto. Cristo', 'Sto. Cristo', 'Purok 2 Sto. Cristo'],
  ['12 Tibagan Road', 'Tibag', '12 Tibagan Road, Tibag'],
  ['', 'Tibag', 'Tibag'],
  ['12 Rizal St.', '', '12 Rizal St.'],
  ['', '', ''],
])('the street of %j in %j is %j', (address, barangay, street) => {
  expect(streetOf({ address, barangay })).toBe(street)
})

test('each column of each layout of which a record has a text is read by the checks', () => {
  const values = layoutCodes.flatMap((code) =>
    [false, true].flatMap((ofGraduates) =>
      layoutOf(code, { ofGraduates }).sheets.flatMap(
        ({ list }) => list?.columns.map(({ value }) => value) ?? [],
      ),
    ),
  )
  // Written by hand: what the agencies' forms ask of a person.
  expect(textFieldsOf(values).sort()).toEqual(
    [
      ...[
        'address',
        'barangay',
        'contactNumber',
        'course',
        'dateOfBirth',
        'email',
        'extensionName',
        'firstName',
      ],
      ...[
        'lastName',
        'middleName',
        'municipalCity',
        'program',
        'province',
        'serialNumber',
        'sex',
        'studentId',
      ],
      'yearLevel',
    ].sort(),
  )
})
