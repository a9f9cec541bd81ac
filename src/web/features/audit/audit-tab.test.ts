import { expect, test } from 'vitest'
import { fieldLabel, valueText } from './audit-tab.tsx'

test('fields have the labels of the screens', () => {
  expect(fieldLabel('contactNumber')).toBe('Contact Number')
  expect(fieldLabel('schoolName')).toBe('School name')
  expect(fieldLabel('sealed')).toBe('Encrypted')
})

test('a missing value is a dash, a list is readable', () => {
  const texts = ['', null, 3, true, ['a']].map((value) => valueText('semesters', value))
  expect(texts).toEqual(['—', '—', '3', 'Yes', '[\n "a"\n]'])
})

test('a year level and a date of birth read as on the screens', () => {
  expect(valueText('yearLevel', 3)).toBe('3rd Year')
  expect(valueText('dateOfBirth', '2007-05-14')).toBe('May 14, 2007')
})
