import { expect, test } from 'vitest'
import { streetOf } from './values.ts'

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
